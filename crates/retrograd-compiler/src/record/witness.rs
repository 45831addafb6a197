//! What locals began with, for the way back: a local that is undone up to rounding is compared with it. Where it can be made again, nothing is
//! kept; else the record takes a copy.
//!
//! ```text
//! let mut t = square(x);    let mut t = square(x);
//!                           let witness = t; keep witness;
//! t += 1e18;                t += 1e18;
//! ```

use std::collections::BTreeSet;

use super::prepare::{Prepare, begun};
use crate::analysis::witness::{AtHand, is_reference};
use crate::ir::{Activity, Binding, BindingKind, Block, DUPLICATE, Expr, ExprKind, Stmt, VarId};

impl Prepare<'_, '_> {
    /// What statements change that are undone up to rounding.
    pub(super) fn undone_by_rounding(&self, block: &Block) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        block.walk(&mut |stmt| {
            let rounds = match stmt {
                Stmt::Update(s) => self.rounds(s),
                Stmt::Map(_) => true,
                Stmt::Call(s) => s.moves().is_none(),
                _ => false,
            };
            if rounds {
                found.extend(self.context.own_effects(stmt).changed());
            }
        });
        found
    }

    /// The active locals among them.
    pub(super) fn may_drift(&self, block: &Block) -> BTreeSet<VarId> {
        // What the user gives back is compared with what that says.
        let mut ended = BTreeSet::new();
        block.walk(&mut |stmt| {
            if let Stmt::End(b) = stmt {
                ended.extend(b.pattern.bindings());
            }
        });
        let flows = |var: &VarId| self.vars[var.0].activity == Activity::Active;
        let rounded = self.rounded.iter().copied();
        rounded.filter(|var| flows(var) && !self.exactly.contains(var) && !ended.contains(var)).collect()
    }

    /// Behind the beginning of a local: what it began with. In the outermost block of a function, that lives on.
    pub(super) fn keep_witness(&mut self, binding: &Binding, outermost: bool, stmts: &mut Vec<Stmt>) {
        let (BindingKind::Ancilla, Some(var)) = (binding.kind, binding.pattern.as_var()) else { return };
        let drifts = self.compares && !self.all && self.drifting.contains(&var) && !self.vars[var.0].unchecked;
        // What has no value yet has nothing to come back to.
        let blank = matches!(binding.value.kind, ExprKind::Rule(..));
        if !drifts || blank || self.is_integer(&binding.value) || self.is_made_again(&binding.value) {
            return;
        }
        let (witness, span) = (self.register("witness", binding.span), binding.span);
        let copy = Expr::method(Expr::var(var, span), DUPLICATE, Vec::new());
        let begin = begun(witness, BindingKind::Let, copy);
        stmts.push(Stmt::Begin(begin.clone()));
        if !outermost {
            stmts.push(self.keep(witness, Some(begin), span));
        }
    }

    fn is_made_again(&self, value: &Expr) -> bool {
        let is_reference = |var| is_reference(&self.vars, var);
        let (context, numbers, changed) = (self.context, self.numbers, &self.changed);
        AtHand { context, numbers, changed, is_reference: &is_reference }.witness_made_again(value).is_some()
    }
}
