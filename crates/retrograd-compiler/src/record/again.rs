//! Locals that are computed again on the way back, and so are not kept.

use std::collections::BTreeSet;

use super::called::is_call;
use super::dear::is_dear;
use super::prepare::Prepare;
use crate::analysis::effects::Effects;
use crate::ir::{
    Activity, Binding, BindingKind, Block, Expr, ExprKind, Known, LiteralKind, Stmt, Type, UpdateOp, Var, VarId,
    VarKind,
};
use crate::signature::numbers::is_discrete;

impl Prepare<'_, '_> {
    /// Whether a local that nothing changes can be computed once more behind statement `last`: cheaply, and from what is the same then.
    pub(super) fn can_be_computed_again(
        &self,
        binding: &Binding,
        effects: &[Effects],
        first: usize,
        last: usize,
    ) -> bool {
        let names = binding.pattern.bindings();
        let roots: BTreeSet<VarId> =
            self.context.expr_reads(&binding.value).iter().map(|read| read.place.root).collect();
        let between = &effects[first + 1..effects.len().min(last + 1)];
        let stays = |var: &VarId| !between.iter().any(|effects| effects.changed().contains(var));
        let mut calls = false;
        binding.value.walk(&mut |e| {
            let called = is_call(e) && !self.is_of_integers(e) && !is_view(e) || matches!(e.kind, ExprKind::Rule(..));
            calls |= called || self.lifts && is_dear(&self.vars, e);
        });
        let decides = self.decides(binding, &roots);
        // What is read exactly is computed again only from what is always the same.
        let rounded =
            names.iter().any(|var| self.exactly.contains(var)) && !roots.iter().all(|var| self.is_given(*var));
        let cheap = !calls || self.is_run_again(binding);
        cheap && !decides && !rounded && names.iter().chain(&roots).all(stays)
    }

    /// Whether it is `#[recompute] let`.
    pub(super) fn is_run_again(&self, binding: &Binding) -> bool {
        binding.pattern.bindings().iter().any(|var| self.vars[var.0].again)
    }

    /// Whether an expression is a call that is given integers and nothing else, as one that finds an index is: what it gives is
    /// computed again rather than kept.
    fn is_of_integers(&self, e: &Expr) -> bool {
        let ExprKind::Call { args, .. } = &e.kind else { return false };
        args.iter().all(|arg| self.is_integer(arg))
    }

    pub(super) fn is_integer(&self, e: &Expr) -> bool {
        let is_integer = |ty: &Type| ty.as_name().is_some_and(is_discrete);
        match &e.kind {
            ExprKind::Lit(literal) => matches!(literal.kind, LiteralKind::Integer(_)),
            ExprKind::Cast(_, ty) => is_integer(ty),
            ExprKind::Var(var) => {
                let var_ty = self.vars[var.0].ty.as_ref();
                self.context.counts(*var) || self.integers.contains(var) || var_ty.is_some_and(is_integer)
            }
            ExprKind::Unary(_, a) => self.is_integer(a),
            ExprKind::Binary(_, a, b) => self.is_integer(a) && self.is_integer(b),
            ExprKind::Method { method, .. } => method.known == Some(Known::Shape),
            _ => false,
        }
    }

    /// What has to run again for a local of a function to have the value that it ends with, if that is nothing but integers that are
    /// added up, from what is the same at its end; and what that reads.
    pub(super) fn counted_again(
        &self,
        block: &Block,
        binding: &Binding,
        effects: &[Effects],
        span: std::ops::Range<usize>,
    ) -> Option<(Vec<Stmt>, Vec<VarId>)> {
        let var = binding.pattern.as_var().filter(|_| binding.kind == BindingKind::Ancilla && self.function)?;
        if self.vars[var.0].activity != Activity::Inactive {
            return None;
        }
        let between = &effects[span.start + 1..effects.len().min(span.end)];
        let mut counting = Vec::new();
        for (stmt, effects) in block.stmts[span.start + 1..].iter().zip(between) {
            if effects.changed().contains(&var) {
                counting.push(self.context.slice(stmt, &BTreeSet::from([var])).ok()?);
            }
        }
        let (mut counts, mut bound) = (self.is_integer(&binding.value), BTreeSet::new());
        if !counting.iter().all(|stmt| self.only_counts(stmt, &mut counts, &mut bound)) || !counts {
            return None;
        }
        let mut calls = false;
        binding.value.walk(&mut |e| calls |= is_call(e));
        let reads = counting.iter().flat_map(|stmt| self.context.effects(stmt).reads);
        let roots: BTreeSet<VarId> = reads
            .chain(self.context.binding_reads(binding))
            .flat_map(|read| [read.place.root, read.written.root])
            .filter(|root| *root != var && !bound.contains(root))
            .collect();
        let stays = |root: &VarId| {
            let Var { activity, kind, .. } = &self.vars[root.0];
            *activity == Activity::Inactive
                && *kind != VarKind::Register
                && !between.iter().any(|effects| effects.changed().contains(root))
        };
        (!calls && roots.iter().all(stays)).then(|| (counting, roots.into_iter().collect()))
    }

    /// Whether a statement only adds to something, in loops. Whether that is an integer is seen by what is added; the variables of
    /// the loops are collected.
    fn only_counts(&self, stmt: &Stmt, counts: &mut bool, bound: &mut BTreeSet<VarId>) -> bool {
        match stmt {
            Stmt::Update(s) => {
                *counts |= self.is_integer(&s.operand);
                s.target.path.is_empty() && matches!(s.op, UpdateOp::Add | UpdateOp::Sub)
            }
            Stmt::For(s) => {
                bound.extend(s.pattern.bindings());
                s.early.is_none() && s.body.stmts.iter().all(|stmt| self.only_counts(stmt, counts, bound))
            }
            Stmt::Block(s) => s.stmts.iter().all(|stmt| self.only_counts(stmt, counts, bound)),
            _ => false,
        }
    }
}

/// `s.as_bytes()` and its kin: a reference into what it is asked of, which costs nothing and cannot be kept.
pub(super) fn is_view(e: &Expr) -> bool {
    let ExprKind::Method { method, args, .. } = &e.kind else { return false };
    const VIEWS: [&str; 7] = ["as_bytes", "as_str", "as_slice", "as_ref", "as_deref", "trim", "to_str"];
    args.is_empty() && VIEWS.iter().any(|name| method.name == name)
}
