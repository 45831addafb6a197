//! A loop whose iterations do not depend on each other counts upwards.
//!
//! A derivative run goes backwards through every loop. Where no iteration changes what another one touches, the order makes no
//! difference, and processors and compilers like the one in which memory lies better.
//!
//! ```text
//! for i in (0..n).rev() {                         for i in 0..n {
//!     grad_v[i] += grad_u[i];        becomes          grad_v[i] += grad_u[i];
//!     u[i] -= v[i];                                   u[i] -= v[i];
//! }                                               }
//! ```
//!
//! Shadows to which the iterations only add, each to elements of its own or of others, get the same terms in another order.

use super::added::{changes, only_added_to, with_views};
use super::ranged::is_whole;
use crate::analysis::Context;
use crate::ir::{Adapter, BindingKind, Block, For, Program, Stmt, VarId};

/// Lets loops count upwards where that is the same: the innermost ones, and those around them if all inside count upwards too.
pub fn upwards(program: &mut Program) {
    let vars = with_views(program);
    let body = {
        let context = Context::new(program).with(&vars);
        block(&context, &program.body)
    };
    program.body = body;
}

fn block(context: &Context<'_>, of: &Block) -> Block {
    let stmts = of.stmts.iter().map(|stmt| match stmt.map_blocks(&mut |inner| block(context, inner)) {
        Stmt::For(s) if s.iter.adapters == [Adapter::Rev] && is_free(context, &s) => {
            let mut s = s;
            s.iter.adapters.clear();
            Stmt::For(s)
        }
        stmt => stmt,
    });
    Block { stmts: stmts.collect(), span: of.span }
}

/// Whether the iterations of a loop can run in any order. A sum that all iterations of an innermost loop add to in one place keeps its
/// order: such a loop is not vectorised anyway.
fn is_free(context: &Context<'_>, s: &For) -> bool {
    let Some(turn) = s.pattern.as_var().filter(|_| is_whole(s) && is_plain(&s.body)) else { return false };
    let added = only_added_to(context, &s.body);
    let writes = context.block_effects(&s.body).writes;
    let spread = |var: &VarId| {
        writes.iter().filter(|write| write.place.root == *var).all(|w| w.place.indices().any(|i| i.mentions(turn)))
    };
    (has_loop(&s.body) || added.iter().all(spread)) && context.in_any_order(s, &added)
}

fn has_loop(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| matches!(stmt, Stmt::For(_)) || stmt.blocks().into_iter().any(has_loop))
}

/// Whether a block has statements alone that change places, in an order that their effects say, and loops that count upwards.
fn is_plain(block: &Block) -> bool {
    block.stmts.iter().all(|stmt| match stmt {
        Stmt::Update(s) => s.kept.is_none() && !changes(&s.operand),
        Stmt::Begin(b) | Stmt::End(b) => b.kind != BindingKind::Manual && !changes(&b.value),
        Stmt::Flip(_) | Stmt::Map(_) => true,
        Stmt::Block(s) => is_plain(s),
        Stmt::If(s) => is_plain(&s.then) && s.otherwise.as_ref().is_none_or(is_plain),
        Stmt::Match(s) => s.arms.iter().all(|arm| is_plain(&arm.body)),
        Stmt::For(s) => is_whole(s) && s.iter.adapters.is_empty() && is_plain(&s.body),
        Stmt::Swap(_)
        | Stmt::Permute(_)
        | Stmt::Call(_)
        | Stmt::While(_)
        | Stmt::Loop(_)
        | Stmt::Recompute(_)
        | Stmt::Conjugate(_)
        | Stmt::Unchecked(_)
        | Stmt::Inverse(_)
        | Stmt::Host(_)
        | Stmt::Check(_)
        | Stmt::Assign(_)
        | Stmt::Keep(_)
        | Stmt::Restore(_)
        | Stmt::Give(_)
        | Stmt::Exit(_)
        | Stmt::Compute(_)
        | Stmt::Uncompute(_) => false,
    })
}
