//! What an adjoint run restores is compared with a witness of what it was.
//!
//! ```text
//! let mut v = 0.0;                       let mut v = 0.0;
//! for i in 0..n { v *= c; v += f; }      for i in 0..n { v *= c; v += f; }
//! ..                                     let scale = magnitude(&v);
//!                                        ..
//!                                        for i in (0..n).rev() { .. v -= f; v /= c; }
//!                                        check!(v == 0.0);
//! ```
//!
//! There is such a check behind everything that restores a local, statement by statement of the block that the local lives in,
//! each with a witness of its own: the initialiser, where it is at hand, or a copy that is made where the run computes the local
//! forwards. `optimize::demand` keeps one of them, the last for which everything in front is restored anyway, and the copies
//! that nobody asks for go with the others.

use super::Stage;
use crate::analysis::witness::{AtHand, kept};
use crate::ir::{Binding, BindingKind, Check, Expected, Expr, Restored, Rule, Stmt, VarId, VarKind};
use crate::span::Span;

/// A local that is computed forwards and will be restored.
pub(super) struct Life {
    binding: Binding,
    /// How deep the block is that it lives in.
    pub(super) depth: usize,
    /// What it was in front of each statement that computes it, the first statement first.
    points: Vec<Point>,
}

struct Point {
    /// Where the statement stands.
    span: Span,
    /// What it was, unless it comes back to that for certain.
    expected: Option<Expected>,
    /// How large the local was when all was computed; known behind the statement.
    scale: Option<VarId>,
}

impl Stage<'_, '_, '_> {
    /// A local begins its life.
    pub(super) fn watch(&mut self, binding: &Binding) {
        if let (true, BindingKind::Ancilla, Some(var)) =
            (self.watching && !self.recorded, binding.kind, binding.pattern.as_var())
            && !self.sums.contains_key(&var)
            && !self.context.vars[var.0].unchecked
        {
            let life = Life { binding: binding.clone(), depth: self.depth, points: Vec::new() };
            self.lives.insert(var, life);
        }
    }

    /// Witnesses of what the statement at that place is about to compute.
    pub(super) fn before_computing(&mut self, changed: &[VarId], span: Span, stmts: &mut Vec<Stmt>) {
        for &var in changed {
            let Some(life) = self.lives.get(&var).filter(|life| life.depth == self.depth) else { continue };
            let initial = life.points.is_empty().then(|| life.binding.value.clone());
            let expected = initial.as_ref().and_then(|value| self.at_hand(value)).or_else(|| {
                // What is added to zero once is zero again without it.
                if self.once.contains(&var) {
                    return None;
                }
                Some(kept(&Expr::var(var, span), initial.as_ref(), |copy| {
                    let (copy, keep) = self.shadows.register("witness", copy);
                    stmts.push(keep);
                    copy
                }))
            });
            if let Some(life) = self.lives.get_mut(&var) {
                life.points.push(Point { span, expected, scale: None });
            }
        }
    }

    /// A local of a recorded program, or one that the user gives back, has the value that it ended with: how large that is.
    pub(super) fn measure(&mut self, binding: &Binding, stmts: &mut Vec<Stmt>) {
        let Some(var) = binding.pattern.as_var().filter(|var| self.changed.contains(var)) else { return };
        if self.context.vars[var.0].kind == VarKind::Register || self.context.vars[var.0].unchecked {
            return;
        }
        let restored = match binding.kind {
            BindingKind::Manual => true,
            BindingKind::Ancilla => self.recorded && self.expected(binding).is_some(),
            BindingKind::Let | BindingKind::View => false,
        };
        if !self.watching || !restored {
            return;
        }
        let scale = self.magnitude(var, binding.span, stmts);
        self.measured.insert(var, scale);
    }

    /// Where the local began, it is compared with what it began with, if that is at hand.
    pub(super) fn compare(&mut self, binding: &Binding, stmts: &mut Vec<Stmt>) {
        let measured = binding.pattern.as_var().and_then(|var| Some((var, self.measured.remove(&var)?)));
        if let (Some((var, scale)), Some(expected)) = (measured, self.expected(binding)) {
            let binding = Box::new(binding.clone());
            stmts.push(Stmt::Check(Check::Restored(Restored { var, expected, scale, binding })));
        }
    }

    /// A register with the largest magnitude in a local.
    fn magnitude(&mut self, var: VarId, span: Span, stmts: &mut Vec<Stmt>) -> VarId {
        let size = Expr::rule(Rule::Magnitude, vec![Expr::var(var, span)], span);
        let name = format!("scale_{}", self.shadows.vars.len());
        let scale = self.shadows.declare(&name, VarKind::Register, span);
        stmts.push(crate::derivative::let_register(crate::ir::Pattern::bind(scale, span), size));
        scale
    }

    /// How large the locals are that a statement has computed.
    pub(super) fn after_computing(&mut self, changed: &[VarId], span: Span, stmts: &mut Vec<Stmt>) {
        for &var in changed {
            if self.lives.get(&var).is_none_or(|life| life.depth != self.depth) {
                continue;
            }
            let scale = self.magnitude(var, span, stmts);
            if let Some(life) = self.lives.get_mut(&var) {
                life.points.iter_mut().for_each(|point| point.scale = Some(scale));
            }
        }
    }

    /// The locals that a statement of the program has changed and its adjoint is about to compute, instead of restoring them: in
    /// the adjoint run of an inverse, which has computed them before with the slice of the statement, or with the statement that
    /// it undoes.
    pub(super) fn computed_by(&self, stmt: &Stmt) -> Vec<VarId> {
        if self.lives.is_empty() || matches!(stmt, Stmt::Compute(_)) {
            return Vec::new();
        }
        let mut changed = self.context.net_effects(stmt).changed();
        changed.retain(|var| {
            let life = self.lives.get(var).filter(|life| life.depth == self.depth);
            life.is_some_and(|life| !life.points.last().is_some_and(|point| point.span.is_at(stmt.span())))
        });
        changed
    }

    /// Checks of the locals that a statement of the program has changed and its adjoint has restored, and not computed. One that is
    /// restored in another order than it was computed is not followed any further.
    pub(super) fn after_restoring(&mut self, stmt: &Stmt, computed: &[VarId], stmts: &mut Vec<Stmt>) {
        if self.lives.is_empty() {
            return;
        }
        for var in self.context.net_effects(stmt).changed().into_iter().filter(|var| !computed.contains(var)) {
            let Some(life) = self.lives.get_mut(&var).filter(|life| life.depth == self.depth) else { continue };
            match life.points.pop() {
                Some(Point { span, expected, scale: Some(scale) }) if span.is_at(stmt.span()) => {
                    let binding = Box::new(life.binding.clone());
                    stmts.extend(
                        expected
                            .map(|expected| Stmt::Check(Check::Restored(Restored { var, expected, scale, binding }))),
                    );
                }
                _ => {
                    self.lives.remove(&var);
                }
            }
        }
    }

    /// The initialiser as a witness, if it is one.
    fn at_hand(&self, value: &Expr) -> Option<Expected> {
        self.asked(|hand| hand.witness(value))
    }

    /// What a local of a recorded program, or one that the user gives back, began with, if that is known.
    fn expected(&self, binding: &Binding) -> Option<Expected> {
        if !self.recorded {
            return self.at_hand(&binding.value);
        }
        let copy = binding.pattern.as_var().and_then(|var| self.copies.get(&var));
        let kept = copy.map(|&copy| Expected::Value(Expr::var(copy, binding.span)));
        kept.or_else(|| self.asked(|hand| hand.witness_made_again(&binding.value)))
    }

    fn asked<A>(&self, ask: impl FnOnce(&AtHand<'_, '_>) -> A) -> A {
        let is_reference = |var| Some(self.shadows.is_reference(var));
        let (context, numbers, changed) = (self.context, &self.shadows.numbers, &self.changed);
        ask(&AtHand { context, numbers, changed, is_reference: &is_reference })
    }
}
