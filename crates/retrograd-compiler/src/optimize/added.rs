//! Shadows that statements only add to: in which order makes no difference, but to the last digits.

use std::collections::BTreeSet;

use crate::analysis::Context;
use crate::ir::{
    BindingKind, Block, Expr, ExprKind, Program, Projection, Rule, Run, Stmt, Update, UpdateOp, Var, VarId, VarKind,
};

/// The variables of a program, with views of shadows as such: what is changed through them is changed in what they are views of.
pub(crate) fn with_views(program: &Program) -> Vec<Var> {
    let mut vars = program.vars.clone();
    note_views(&program.body, &mut vars);
    vars
}

fn note_views(block: &Block, vars: &mut [Var]) {
    for stmt in &block.stmts {
        if let Some(binding) = stmt.begun().filter(|b| b.kind == BindingKind::View) {
            let base = match &binding.value.kind {
                // Halves of a slice, and which of them is not known.
                ExprKind::Method { receiver, .. } => receiver.as_place().map(|place| place.then(Projection::Some)),
                _ => binding.value.as_place(),
            };
            for var in binding.pattern.bindings() {
                if let (VarKind::Shadow { .. }, Some(base)) = (&vars[var.0].kind, &base) {
                    vars[var.0].kind = VarKind::View(base.clone());
                }
            }
        }
        stmt.blocks().into_iter().for_each(|block| note_views(block, vars));
    }
}

/// Whether a statement adds something to a shadow, or takes something away from it, and does nothing else.
pub(super) fn is_sum(s: &Update) -> bool {
    // What a bijection adds, by its part in a determinant, is computed in its own way.
    let bends = matches!(s.operand.kind, ExprKind::Rule(Rule::Bend, _));
    matches!(s.op, UpdateOp::Add | UpdateOp::Sub) && s.kept.is_none() && !bends
}

/// The shadows that a block adds to, and neither reads nor changes otherwise.
pub(super) fn only_added_to(context: &Context<'_>, block: &Block) -> BTreeSet<VarId> {
    let (mut added, mut otherwise) = (BTreeSet::new(), BTreeSet::new());
    collect(context, block, &mut added, &mut otherwise);
    added.retain(|var| !otherwise.contains(var) && matches!(context.vars[var.0].kind, VarKind::Shadow { .. }));
    added
}

fn collect(context: &Context<'_>, block: &Block, added: &mut BTreeSet<VarId>, otherwise: &mut BTreeSet<VarId>) {
    for stmt in &block.stmts {
        let effects = context.own_effects(stmt);
        otherwise.extend(effects.reads.iter().filter(|read| !read.shape).map(|read| read.place.root));
        match stmt {
            Stmt::Update(s) if is_sum(s) => added.extend(effects.changed()),
            _ => otherwise.extend(effects.changed()),
        }
        stmt.blocks().into_iter().for_each(|block| collect(context, block, added, otherwise));
    }
}

/// Whether an expression changes something: an adjoint run of a function changes shadows, and a record is asked in an order.
pub(super) fn changes(e: &Expr) -> bool {
    let mut changes = false;
    e.walk(&mut |e| {
        changes |= matches!(
            e.kind,
            ExprKind::Companion { run: Run::Adjoint | Run::Keep | Run::Spend, .. }
                | ExprKind::Rule(Rule::Taken | Rule::Lease | Rule::Schedule(_), _)
                | ExprKind::RefMut(_)
        );
    });
    changes
}
