//! The statements of a block as a run without derivatives: what is dropped is left out.

use crate::analysis::Context;
use crate::analysis::need::{After, Need};
use crate::invert::{invert, invert_stmt};
use crate::ir::{Block, Stmt};

/// What runs when the block runs on values alone; some variables are mentioned again afterwards.
pub(crate) fn values(context: &Context<'_>, block: &Block, after: After<'_>) -> Block {
    let needs = context.needs(block, after);
    let mut stmts = Vec::new();
    for (stmt, need) in block.stmts.iter().zip(needs) {
        match need {
            Need::Runs => lower(context, stmt, true, &mut stmts),
            Need::Dropped if matches!(stmt, Stmt::Conjugate(_)) => lower(context, stmt, false, &mut stmts),
            Need::Dropped | Need::Cancelled => {}
        }
    }
    Block { stmts, span: block.span }
}

fn lower(context: &Context<'_>, stmt: &Stmt, undone: bool, stmts: &mut Vec<Stmt>) {
    let inner = |block: &Block| values(context, block, After::These(&[]));
    let lowered = match stmt {
        Stmt::If(_) | Stmt::Match(_) | Stmt::While(_) | Stmt::For(_) | Stmt::Block(_) => {
            stmt.map_blocks(&mut |block| inner(block))
        }
        Stmt::Conjugate(s) => {
            stmts.push(Stmt::Block(inner(&s.compute)));
            stmts.push(Stmt::Block(inner(&s.rest)));
            if undone {
                stmts.push(Stmt::Block(inner(&invert(&s.compute))));
            }
            return;
        }
        Stmt::Unchecked(s) => {
            let mut inside = Vec::new();
            lower(context, s, undone, &mut inside);
            stmts.extend(inside.into_iter().map(|s| Stmt::Unchecked(Box::new(s))));
            return;
        }
        Stmt::Inverse(s) => return lower(context, &invert_stmt(s), undone, stmts),
        Stmt::Compute(s) | Stmt::Uncompute(s) => {
            s.body.stmts.iter().for_each(|stmt| lower(context, stmt, true, stmts));
            return;
        }
        // Derivative runs run no host statements.
        Stmt::Host(_) => return,
        Stmt::Update(_)
        | Stmt::Flip(_)
        | Stmt::Map(_)
        | Stmt::Swap(_)
        | Stmt::Permute(_)
        | Stmt::Call(_)
        | Stmt::Begin(_)
        | Stmt::End(_) => stmt.clone(),
    };
    stmts.push(lowered);
}
