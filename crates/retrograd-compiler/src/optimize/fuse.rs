//! Two loops over the same range become one, where one of them waits for a sum.
//!
//! ```text
//! for j in 0..n {                                     let mut grad_sum = grad_y;
//!     sum += a[j] * x[j];                             for j in 0..n {
//! }                                                       {
//! let mut grad_sum = grad_y;                                  sum += a[j] * x[j];
//! y -= sum;                           becomes             }
//! for j in 0..n {                                         {
//!     grad_a[j] += grad_sum * x[j];                           grad_a[j] += grad_sum * x[j];
//!     grad_x[j] += grad_sum * a[j];                           grad_x[j] += grad_sum * a[j];
//! }                                                       }
//!                                                     }
//!                                                     y -= sum;
//! ```
//!
//! An adjoint run computes a sum again, and goes through the same elements once more for its adjoint. Each term of a sum waits for the one
//! before it; meanwhile a processor can do the work of the other loop, with elements that it has loaded already. Values are added
//! in the order that they were added in, so that they are the same to the last bit.
//!
//! What stands between the loops goes in front of them, or behind, if it does not depend on the first, or the second not on it.

use std::collections::{BTreeMap, BTreeSet};

use super::added::{changes, only_added_to, with_views};
use super::ranged::{Ranged, is_whole};
use crate::analysis::Context;
use crate::analysis::effects::{Access, Effects, head_reads};
use crate::analysis::relation::{Changed, Relation};
use crate::analysis::slice::begun_inside;
use crate::ir::{BindingKind, Block, Check, Expr, ExprKind, For, Known, Place, Program, Records, Stmt, VarId, VarKind};

/// How often an iteration may touch elements: with more of that, the wait for the sum is not what takes time.
const MOST: usize = 12;

/// Fuses loops. Samples of locals are told apart by the loops that they are taken in, so recorded programs keep theirs.
pub fn fuse(program: &mut Program) {
    if !program.run.is_adjoint() || program.records != Records::Nothing {
        return;
    }
    let views = with_views(program);
    let body = {
        let context = Context::new(program);
        let context = context.with(&views);
        let pass = Pass { context: &context, held: held(&context, &program.body), compared: compared(&program.body) };
        pass.block(&program.body)
    };
    program.body = body;
}

struct Pass<'c, 'p> {
    context: &'c Context<'p>,
    /// What locals may refer to.
    held: BTreeMap<VarId, Vec<Access>>,
    /// The locals that are compared with what they were: checked builds do so in front of each iteration of the first loop, too, and
    /// the second one may not have restored more of them by then.
    compared: BTreeSet<VarId>,
}

impl Pass<'_, '_> {
    fn block(&self, block: &Block) -> Block {
        let mut stmts: Vec<Stmt> =
            block.stmts.iter().map(|stmt| stmt.map_blocks(&mut |block| self.block(block))).collect();
        let mut at = 0;
        while at < stmts.len() {
            match self.with_next_loop(&stmts, at) {
                Some(fused) => stmts = fused,
                None => at += 1,
            }
        }
        Block { stmts, span: block.span }
    }

    /// The statements of a block with one of them, a loop, and the next loop as one.
    fn with_next_loop(&self, stmts: &[Stmt], at: usize) -> Option<Vec<Stmt>> {
        let Stmt::For(first) = &stmts[at] else { return None };
        let end = at + 1 + stmts[at + 1..].iter().position(|stmt| matches!(stmt, Stmt::For(_)))?;
        let Stmt::For(second) = &stmts[end] else { return None };
        let (turns, others) = (Ranged::of(first)?, Ranged::of(second)?);
        if !turns.goes_like(&others) || turns.is_constant() || !is_innermost(&first.body) || !is_innermost(&second.body)
        {
            return None;
        }
        let counter = |e: &Expr| (e.kind == ExprKind::Var(others.turn)).then(|| Expr::var(turns.turn, e.span));
        let both = self.alternating(first, turns.turn, second.body.rewritten(&counter))?;
        let (front, behind) = self.parted(&stmts[at + 1..end], &stmts[at], &stmts[end])?;
        Some([&stmts[..at], &front, &[both], &behind, &stmts[end + 1..]].concat())
    }

    /// The loop with another body behind its own, if the iterations of both may alternate, and that is worth it.
    fn alternating(&self, s: &For, turn: VarId, second: Block) -> Option<Stmt> {
        let both = s.with_body(Block { stmts: vec![Stmt::Block(s.body.clone()), Stmt::Block(second)], span: s.span });
        let parts = [0, 1].map(|part| self.effects(&both.body.stmts[part]));
        let own = begun_inside(&Stmt::For(both.clone()));
        let [first, second] = parts.each_ref().map(|effects| Iteration::of(effects, turn, &own));
        if !first.is_worth(&second) || !self.compared.is_disjoint(&second.changed) {
            return None;
        }
        // What the second loop goes through has to be known in front of the first.
        let changed = Changed::by([&parts[0]]);
        let head: Vec<Access> = head_reads(&s.iter).into_iter().flat_map(|e| self.context.expr_reads(e)).collect();
        let known = head.iter().all(|read| parts[0].writes.iter().all(|write| self.is_apart(write, read, &changed)));
        let added = only_added_to(self.context, &both.body);
        (known && self.context.may_alternate(&both, &parts[0], &parts[1], &added)).then_some(Stmt::For(both))
    }

    /// What stands between two loops, parted into what can go in front of the first and what can go behind the second.
    fn parted(&self, between: &[Stmt], first: &Stmt, second: &Stmt) -> Option<(Vec<Stmt>, Vec<Stmt>)> {
        let (mut front, mut behind, mut passed) = (Vec::new(), Vec::new(), vec![first.clone()]);
        for stmt in between {
            let (before, after) = self.split(stmt, &mut passed);
            front.extend(before);
            behind.extend(after);
        }
        behind.iter().all(|stmt| self.commute(stmt, second)).then_some((front, behind))
    }

    /// The part of a statement that can go in front of those that are `passed`, and the part that cannot, which comes to them.
    fn split(&self, stmt: &Stmt, passed: &mut Vec<Stmt>) -> (Vec<Stmt>, Option<Stmt>) {
        if passed.iter().all(|other| self.commute(other, stmt)) {
            return (vec![stmt.clone()], None);
        }
        if let Stmt::Block(block) = stmt {
            let (mut front, mut behind, mut inside) = (Vec::new(), Vec::new(), passed.clone());
            for stmt in &block.stmts {
                let (before, after) = self.split(stmt, &mut inside);
                front.extend(before);
                behind.extend(after);
            }
            let part = |stmts| Block { stmts, span: block.span };
            let behind = part(behind);
            let begun: BTreeSet<VarId> = front.iter().flat_map(limited).collect();
            let uses = self.context.block_effects(&behind).mentioned().any(|var| begun.contains(&var));
            // A register has a name that nothing else has: both parts may know it.
            let is_register = |var: &VarId| self.context.vars[var.0].kind == VarKind::Register;
            if !front.is_empty() && (!uses || begun.iter().all(is_register)) {
                *passed = inside;
                let front = if uses { front } else { vec![Stmt::Block(part(front))] };
                return (front, Some(Stmt::Block(behind)));
            }
        }
        passed.push(stmt.clone());
        (Vec::new(), Some(stmt.clone()))
    }

    /// Whether two statements do the same in either order, to rounding.
    fn commute(&self, a: &Stmt, b: &Stmt) -> bool {
        let parts = [(self.effects(a), limited(b)), (self.effects(b), limited(a))];
        let scoped = parts.iter().all(|(effects, limits)| !effects.mentioned().any(|var| limits.contains(&var)));
        if !scoped || !is_movable(a) || !is_movable(b) {
            return false;
        }
        let [(of_a, _), (of_b, _)] = &parts;
        let changed = Changed::by([of_a, of_b]).and(begun_inside(a)).and(begun_inside(b));
        let added = only_added_to(self.context, &Block { stmts: vec![a.clone(), b.clone()], span: a.span() });
        let apart = |of_a: &Effects, of_b: &Effects| {
            let changed_twice = of_a.writes.iter().filter(|write| !added.contains(&write.place.root));
            let touched = || of_b.reads.iter().chain(&of_b.writes);
            changed_twice.into_iter().all(|write| touched().all(|access| self.is_apart(write, access, &changed)))
        };
        apart(of_a, of_b) && apart(of_b, of_a)
    }

    /// Whether a change cannot be seen in an access at another time.
    fn is_apart(&self, write: &Access, access: &Access, changed: &Changed) -> bool {
        self.context.disturbs_over(write, access, changed) == Relation::Disjoint
    }

    /// What a statement reads and changes, with what the locals refer to that it uses.
    fn effects(&self, stmt: &Stmt) -> Effects {
        let (mut effects, own) = (self.context.effects(stmt), begun_inside(stmt));
        let used: BTreeSet<VarId> = effects.mentioned().filter(|var| !own.contains(var)).collect();
        effects.reads.extend(used.iter().filter_map(|var| self.held.get(var)).flatten().cloned());
        effects
    }
}

fn compared(block: &Block) -> BTreeSet<VarId> {
    let mut compared = BTreeSet::new();
    block.walk(&mut |stmt| {
        if let Stmt::Check(Check::Restored(check)) = stmt {
            compared.insert(check.var);
        }
    });
    compared
}

/// What locals may refer to: all that is read where they begin, unless that visibly gives a number.
fn held(context: &Context<'_>, block: &Block) -> BTreeMap<VarId, Vec<Access>> {
    let mut held: BTreeMap<VarId, Vec<Access>> = BTreeMap::new();
    block.walk(&mut |stmt| {
        let Some(binding) = stmt.begun().filter(|b| b.kind != BindingKind::View && may_refer(&b.value)) else { return };
        let mut reads = context.binding_reads(binding);
        reads.retain(|read| !read.shape);
        let others: Vec<Access> =
            reads.iter().filter_map(|read| held.get(&read.place.root)).flatten().cloned().collect();
        reads.extend(others);
        for var in binding.pattern.bindings() {
            held.entry(var).or_default().extend(reads.iter().cloned());
        }
    });
    held.retain(|_, reads| !reads.is_empty());
    held
}

/// Whether a value may be a reference, or hold one.
fn may_refer(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(..) => false,
        ExprKind::Method { method, .. } => method.known != Some(Known::Shape),
        _ => true,
    }
}

/// What an iteration touches, but of locals of its own.
struct Iteration<'e> {
    elements: Vec<&'e Place>,
    /// The variables that it changes.
    changed: BTreeSet<VarId>,
    /// Those that it changes in the same place as the other iterations.
    waits: BTreeSet<VarId>,
}

impl<'e> Iteration<'e> {
    fn of(effects: &'e Effects, turn: VarId, own: &BTreeSet<VarId>) -> Iteration<'e> {
        let place = |access: &'e Access| Some(&*access.place).filter(|place| !own.contains(&place.root));
        let moves = |place: &&Place| place.indices().any(|index| index.mentions(turn));
        let touched = effects.reads.iter().filter(|read| !read.shape).chain(&effects.writes);
        let writes = || effects.writes.iter().filter_map(place);
        Iteration {
            elements: touched.filter_map(place).filter(moves).collect(),
            changed: writes().map(|place| place.root).collect(),
            waits: writes().filter(|place| !moves(place)).map(|place| place.root).collect(),
        }
    }

    /// Whether one of two waits for a sum while the other does something else with elements that they share. Of an array that changes
    /// they touch the same row, or it could not be cut any more.
    fn is_worth(&self, other: &Iteration<'_>) -> bool {
        let few = self.elements.len() + other.elements.len() <= MOST;
        let waits = self.waits.union(&other.waits).next().is_some() && self.waits.is_disjoint(&other.waits);
        let changes = |place: &Place| self.changed.contains(&place.root) || other.changed.contains(&place.root);
        let fits = |a: &&Place| other.elements.iter().all(|b| a.root != b.root || *a == *b || !changes(a));
        few && waits
            && self.elements.iter().any(|place| other.elements.contains(place))
            && self.elements.iter().all(fits)
    }
}

/// The locals that a statement is the first or the last one to know.
fn limited(stmt: &Stmt) -> Vec<VarId> {
    stmt.begun().or(stmt.ended()).map(|binding| binding.pattern.bindings()).unwrap_or_default()
}

/// Whether a loop has no other loops inside, and no statements of which effects do not say in which order they can run.
fn is_innermost(block: &Block) -> bool {
    block.stmts.iter().all(is_movable) && !block.any(&|stmt| matches!(stmt, Stmt::For(_)))
}

/// Whether effects say what a statement can be exchanged with.
fn is_movable(stmt: &Stmt) -> bool {
    let all = |block: &Block| block.stmts.iter().all(is_movable);
    match stmt {
        Stmt::Update(s) => s.kept.is_none() && !changes(&s.operand),
        Stmt::Begin(b) | Stmt::End(b) => {
            matches!(b.kind, BindingKind::Let | BindingKind::Ancilla) && !changes(&b.value)
        }
        Stmt::Flip(_) | Stmt::Map(_) => true,
        Stmt::For(s) => is_whole(s) && all(&s.body),
        Stmt::Block(_) | Stmt::If(_) | Stmt::Match(_) => stmt.blocks().into_iter().all(all),
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
    }
}
