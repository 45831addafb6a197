//! Sums that only the value of a function reads.

use std::collections::BTreeSet;

use super::Stage;
use crate::analysis::Context;
use crate::derivative::Expression;
use crate::ir::{BindingKind, Block, Expr, Program, Stmt, Update, UpdateOp, VarId, VarKind};

impl Stage<'_, '_, '_> {
    /// Finds the locals that are sums: scalars that are only added to, read by nothing but the value of the function, and there
    /// in a way that no derivative depends on. Value and adjoint of the loops that add to them are found in one sweep then, and
    /// the terms are added in the order of that sweep.
    pub(super) fn find_sums(&mut self, program: &Program, value: &Expr) {
        // Values that were restored may choose another branch than the program did: its own value is the one that it gave.
        if self.chooses_by_restored(&program.body) {
            return;
        }
        let effects = self.context.block_effects(&program.body);
        let read: BTreeSet<VarId> = effects.reads.iter().map(|access| access.place.root).collect();
        let mut only_added = BTreeSet::new();
        only_added_to(self.context, &program.body, &mut only_added, &mut BTreeSet::new());
        let mut expression = Expression::new(&mut self.shadows);
        let root = expression.node(value);
        let mut found = Vec::new();
        for binding in program.body.stmts.iter().filter_map(Stmt::begun) {
            if let Some(var) = binding.pattern.as_var()
                && binding.kind == BindingKind::Ancilla
                && !binding.constant
                && !read.contains(&var)
                && only_added.contains(&var)
                && value.mentions(var)
                && expression.shadows.is_active(var)
                && expression.is_linear_in(root, var)
            {
                found.push((var, binding.span));
            }
        }
        for (var, span) in found {
            let written = self.shadows.vars[var.0].name.to_string();
            let name = format!("sum_{}", written.trim_start_matches("r#"));
            let sum = self.shadows.declare(&name, VarKind::Ancilla, span);
            self.sums.insert(var, sum);
        }
    }

    /// Whether a condition hangs on floats that the program changes.
    fn chooses_by_restored(&self, block: &Block) -> bool {
        let restored = |e: &Expr| {
            let reads = self.context.expr_reads(e);
            reads.iter().any(|read| self.shadows.is_active(read.place.root) && self.changed.contains(&read.place.root))
        };
        block.any(&|stmt| match stmt {
            Stmt::If(s) => restored(&s.condition.pre),
            Stmt::While(s) => restored(&s.pre) || restored(&s.post),
            Stmt::Match(s) => restored(&s.scrutinee) || s.arms.iter().flat_map(|arm| &arm.guard).any(restored),
            _ => false,
        })
    }
}

/// The variables that are changed by `+=` and `-=` of the whole alone, and those that are changed otherwise.
fn only_added_to(context: &Context<'_>, block: &Block, added: &mut BTreeSet<VarId>, otherwise: &mut BTreeSet<VarId>) {
    for stmt in &block.stmts {
        if let Stmt::Update(Update { op: UpdateOp::Add | UpdateOp::Sub, target, .. }) = stmt
            && target.path.is_empty()
        {
            added.insert(target.root);
        } else {
            otherwise.extend(context.own_effects(stmt).changed());
        }
        stmt.blocks().into_iter().for_each(|block| only_added_to(context, block, added, otherwise));
    }
    added.retain(|var| !otherwise.contains(var));
}
