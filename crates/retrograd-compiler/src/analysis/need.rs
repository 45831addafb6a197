//! Which undoing a run can do without: what is dropped is not undone.
//!
//! Adjoint runs undo everything, because that is how adjoints flow. All other runs undo an ancilla only where it is
//! mentioned again: never in a program as written, sometimes in its inverse, where `t` is computed to its last value
//! first and has to become what it was when an earlier statement used it.

use std::collections::BTreeSet;

use super::Context;
use crate::invert::invert;
use crate::ir::{BindingKind, Block, Stmt, VarId};

/// Whether a statement has to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It has to.
    Runs,
    /// What it gives back is dropped.
    Dropped,
    /// It is undone right away, or undoes right away.
    Cancelled,
}

/// What is still mentioned behind a block.
#[derive(Clone, Copy, Debug)]
pub enum After<'a> {
    /// Every variable, as far as anybody knows.
    Everything,
    /// These variables of the block, and what is older.
    These(&'a [VarId]),
}

impl Context<'_> {
    /// What has to run in a block after which some variables are still mentioned. Of a `#[compute]` block:
    /// whether it has to be undone.
    pub fn needs(&self, block: &Block, after: After<'_>) -> Vec<Need> {
        let mut needs = vec![Need::Runs; block.stmts.len()];
        if !block.stmts.iter().any(|stmt| matches!(stmt, Stmt::Uncompute(_) | Stmt::Conjugate(_))) {
            return needs;
        }
        let own: BTreeSet<VarId> = block
            .stmts
            .iter()
            .filter_map(Stmt::begun)
            .filter(|b| b.kind == BindingKind::Ancilla)
            .flat_map(|b| b.pattern.bindings())
            .collect();
        let (everything, mut mentioned) = match after {
            After::Everything => (true, BTreeSet::new()),
            After::These(vars) => (false, vars.iter().copied().collect()),
        };
        for (stmt, need) in block.stmts.iter().zip(&mut needs).rev() {
            let again = if let Stmt::Uncompute(c) = stmt {
                let changed = self.block_effects(&c.body).changed();
                everything && !changed.is_empty() || changed.iter().any(|var| mentioned.contains(var))
            } else if let Stmt::Conjugate(c) = stmt {
                let inside = super::slice::declared_inside(stmt);
                let mut changed = self.block_effects(&c.compute).changed();
                changed.retain(|var| !inside.contains(var));
                changed.iter().any(|var| everything || !own.contains(var) || mentioned.contains(var))
            } else {
                true
            };
            if !again {
                *need = Need::Dropped;
            }
            if !ends_by_itself(stmt) && (again || matches!(stmt, Stmt::Conjugate(_))) {
                let effects = self.effects(stmt);
                mentioned.extend(effects.reads.iter().chain(&effects.writes).map(|access| access.place.root));
            }
        }
        cancel(block, &mut needs);
        needs
    }
}

/// What is computed and undone right away need not be done at all.
fn cancel(block: &Block, needs: &mut [Need]) {
    let mut open: Vec<usize> = Vec::new();
    for (i, stmt) in block.stmts.iter().enumerate() {
        if ends_by_itself(stmt) || needs[i] == Need::Dropped && matches!(stmt, Stmt::Uncompute(_)) {
            continue;
        }
        if let (Stmt::Uncompute(undo), Some(&last)) = (stmt, open.last())
            && let Stmt::Compute(compute) = &block.stmts[last]
            && invert(&compute.body) == undo.body
        {
            needs[last] = Need::Cancelled;
            needs[i] = Need::Cancelled;
            open.pop();
        } else {
            open.push(i);
        }
    }
}

fn ends_by_itself(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::End(b) if b.kind != BindingKind::Manual)
}
