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
use crate::ir::{
    Binding, BindingKind, Check, Expected, Expr, ExprKind, Known, MacroArgs, Place, Restored, Rule, Stmt, UnaryOp,
    VarId, VarKind,
};
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
        {
            let life = Life { binding: binding.clone(), depth: self.depth, points: Vec::new() };
            self.lives.insert(var, life);
        }
    }

    /// Witnesses of what the statement at that place is about to compute.
    pub(super) fn before_computing(&mut self, changed: &[VarId], span: Span, stmts: &mut Vec<Stmt>) {
        for &var in changed {
            let Some(life) = self.lives.get(&var).filter(|life| life.depth == self.depth) else { continue };
            let initial = if life.points.is_empty() { self.at_hand(&life.binding.value) } else { None };
            let expected = initial.or_else(|| {
                // What is added to zero once is zero again without it.
                if self.once.contains(&var) {
                    return None;
                }
                let copy = Expr::rule(Rule::Keep, vec![Expr::var(var, span)], span);
                let (copy, keep) = self.shadows.register("witness", copy);
                stmts.push(keep);
                Some(Expected::Kept(copy))
            });
            if let Some(life) = self.lives.get_mut(&var) {
                life.points.push(Point { span, expected, scale: None });
            }
        }
    }

    /// A local of a recorded program has the value that it ended with: how large that is.
    pub(super) fn measure(&mut self, binding: &Binding, stmts: &mut Vec<Stmt>) {
        let Some(var) = binding.pattern.as_var().filter(|var| self.changed.contains(var)) else { return };
        if self.context.vars[var.0].kind == VarKind::Register {
            return;
        }
        if !self.watching || binding.kind != BindingKind::Ancilla || self.at_hand(&binding.value).is_none() {
            return;
        }
        let scale = self.magnitude(var, binding.span, stmts);
        self.measured.insert(var, scale);
    }

    /// Where the local began, it is compared with what it began with, if that is at hand.
    pub(super) fn compare(&mut self, binding: &Binding, stmts: &mut Vec<Stmt>) {
        let measured = binding.pattern.as_var().and_then(|var| Some((var, self.measured.remove(&var)?)));
        if let (Some((var, scale)), Some(expected)) = (measured, self.at_hand(&binding.value)) {
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

    /// Checks of the locals that a statement of the program has changed and its adjoint has restored. One that is changed where
    /// nothing has computed it on values alone is not followed any further.
    pub(super) fn after_restoring(&mut self, stmt: &Stmt, stmts: &mut Vec<Stmt>) {
        if self.lives.is_empty() {
            return;
        }
        for var in self.context.effects(stmt).changed() {
            let Some(life) = self.lives.get_mut(&var).filter(|life| life.depth == self.depth) else { continue };
            match life.points.pop() {
                Some(Point { span, expected, scale: Some(scale) })
                    if span.is_at(stmt.span()) && !matches!(stmt, Stmt::Uncompute(_)) =>
                {
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

    /// The initialiser as a witness: a literal, a place that the program never changes, or copies of such.
    fn at_hand(&self, value: &Expr) -> Option<Expected> {
        match &value.kind {
            ExprKind::Repeat(..) | ExprKind::Macro { args: MacroArgs::Repeat(..), .. } => {
                let (mut each, mut depth) = (value, 0);
                while let ExprKind::Repeat(one, _) | ExprKind::Macro { args: MacroArgs::Repeat(one, _), .. } =
                    &each.kind
                {
                    (each, depth) = (one, depth + 1);
                }
                self.is_at_hand(each).then(|| Expected::Each(each.clone(), depth))
            }
            ExprKind::Method { receiver, method, .. } if method.known == Some(Known::Form) => {
                let place = receiver.as_place().filter(|place| self.is_unchanged(place));
                place.map(|_| Expected::Value(self.behind(receiver)))
            }
            _ => self.is_at_hand(value).then(|| Expected::Value(value.clone())),
        }
    }

    /// What a name means that is copied: behind a reference, what it refers to.
    fn behind(&self, e: &Expr) -> Expr {
        match e.kind {
            ExprKind::Var(var) if self.shadows.is_reference(var) => {
                Expr::new(ExprKind::Unary(UnaryOp::Deref, Box::new(e.clone())), e.span)
            }
            _ => e.clone(),
        }
    }

    fn is_at_hand(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(_) => true,
            ExprKind::Unary(UnaryOp::Neg, a) => self.is_at_hand(a),
            ExprKind::Call { .. } => {
                let numbers = &self.shadows.numbers;
                numbers.is_constant(e, 0.0, "zero") || numbers.is_constant(e, 1.0, "one")
            }
            _ => e.as_place().is_some_and(|place| self.is_unchanged(&place)),
        }
    }

    fn is_unchanged(&self, place: &Place) -> bool {
        let indices = place.indices().flat_map(|index| self.context.expr_reads(index)).map(|access| access.place.root);
        let mut roots = indices.chain([self.context.access(place, false).place.root]);
        roots.all(|root| !self.changed.contains(&root))
    }
}
