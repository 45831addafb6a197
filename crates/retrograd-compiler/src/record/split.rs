//! The two halves of an adjoint run: forwards, filling a record, and backwards, emptying it. Between them anything may run.

use std::collections::{BTreeMap, BTreeSet};

use crate::adjoint::Adjoint;
use crate::analysis::Context;
use crate::ir::{Assign, Binding, Block, Expr, Form, Keep, Pattern, Place, Program, Role, Slot, Stmt, Update, VarId};

/// The halves of an adjoint run.
#[derive(Debug)]
pub struct Split {
    /// Forwards; a function has its value as result.
    pub keep: Program,
    /// Backwards; it has no result.
    pub spend: Program,
}

/// The halves of the adjoint run of a function, with what lives between them in the record.
pub fn split(adjoint: &Adjoint, value: Option<Expr>) -> Split {
    let Adjoint { program, forwards } = adjoint;
    let span = program.body.span;
    let (before, behind) = program.body.stmts.split_at(*forwards);
    let (mut keep, mut spend) = (before.to_vec(), Vec::new());
    let context = Context::new(program);
    let mentioned: BTreeSet<VarId> = behind.iter().flat_map(|stmt| mentions(&context, stmt)).collect();
    let again: BTreeSet<VarId> = behind.iter().filter_map(Stmt::begun).flat_map(|b| b.pattern.bindings()).collect();
    let ended: BTreeSet<VarId> = before.iter().filter_map(local).collect();
    let mut slots = greatest(&program.body);
    let mut kept = Vec::new();
    for binding in before.iter().filter_map(Stmt::begun) {
        for var in binding.pattern.bindings() {
            if mentioned.contains(&var) && !again.contains(&var) && !ended.contains(&var) {
                slots += 1;
                let (pattern, ty) = (Pattern::bind(var, binding.span), program.var(var).ty.clone());
                let local = Binding { pattern, ty, ..binding.clone() };
                let slot = Slot { number: slots, form: Form::Whole };
                kept.push(Keep { place: Place::var(var, binding.span), local: Some(Box::new(local)), slot });
            }
        }
    }
    keep.extend(kept.iter().rev().cloned().map(Stmt::Keep));
    spend.extend(kept.into_iter().map(Stmt::Restore));
    spend.extend(behind.iter().cloned());
    let half = |stmts, result| Program { result, ..program.with_body(Block { stmts, span }) };
    let mut keep = half(keep, value);
    keep.params.retain(|param| matches!(param.role, Role::Value | Role::Host));
    Split { keep, spend: half(spend, None) }
}

/// The local that a record takes.
fn local(stmt: &Stmt) -> Option<VarId> {
    if let Stmt::Keep(Keep { local: Some(_), place, .. }) = stmt { Some(place.root) } else { None }
}

/// The variables that a statement mentions, by their own names too.
fn mentions(context: &Context<'_>, stmt: &Stmt) -> Vec<VarId> {
    let effects = context.effects(stmt);
    effects.reads.iter().chain(&effects.writes).flat_map(|access| [access.place.root, access.written.root]).collect()
}

/// The greatest number of a slot.
pub(super) fn greatest(block: &Block) -> usize {
    slots(block).iter().map(|slot| slot.number).max().unwrap_or(0)
}

/// All that is kept, by slot.
pub fn forms(block: &Block) -> BTreeMap<usize, Form> {
    slots(block).iter().map(|slot| (slot.number, slot.form)).collect()
}

fn slots(block: &Block) -> Vec<Slot> {
    let mut slots = Vec::new();
    block.walk(&mut |stmt| match stmt {
        Stmt::Assign(Assign { kept: Some(slot), .. })
        | Stmt::Update(Update { kept: Some(slot), .. })
        | Stmt::Keep(Keep { slot, .. })
        | Stmt::Restore(Keep { slot, .. }) => slots.push(*slot),
        Stmt::Recompute(s) => slots.extend(s.kept.iter().flat_map(|entry| [entry.slot, entry.again])),
        _ => {}
    });
    slots
}
