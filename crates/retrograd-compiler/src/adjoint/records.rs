//! What a record gives back: overwritten values, and the locals of a recorded function.

use std::collections::BTreeSet;

use super::Stage;
use crate::derivative::{Expression, cloned, zero};
use crate::invert::invert_stmt;
use crate::ir::{Assign, Block, Expr, Program, Rule, Stmt, VarId};

impl Stage<'_, '_, '_> {
    /// The old value comes back first, for what the new one was computed from it. The adjoint of the new value goes to what that was
    /// computed from; the old one has none yet.
    pub(super) fn assign(&mut self, s: &Assign, stmts: &mut Vec<Stmt>) {
        let span = s.span;
        let restored = match invert_stmt(&Stmt::Assign(s.clone())) {
            restore @ Stmt::Restore(_) => Some(restore),
            _ => None,
        };
        let reread = s.reread.then(|| self.shadows.register("new", cloned(s.target.to_expr())));
        let (new, mut inside) = reread.map_or((None, Vec::new()), |(new, read)| (Some(new), vec![read]));
        inside.extend(restored);
        if self.shadows.is_active(s.target.root) {
            let (target, zero) = (self.shadows.shadow_place(&s.target).to_expr(), zero(s.target.to_expr()));
            let (adjoint, taken) = self.shadows.register("adjoint", Expr::rule(Rule::Taken, vec![target, zero], span));
            inside.push(taken);
            if self.shadows.active(&s.value) {
                let mut expression = Expression::new(&mut self.shadows);
                let root = expression.node(&s.value);
                new.into_iter().for_each(|new| expression.known(root, new));
                let after = expression.adjoint(root, adjoint);
                inside.append(&mut expression.before);
                inside.extend(after);
            }
        }
        stmts.push(Stmt::Block(Block { stmts: inside, span }));
    }

    /// The locals of a recorded function that still live when it has its value. Those that end by then are begun again.
    pub(super) fn outlive(&mut self, program: &Program, all: &mut Vec<Stmt>) {
        let stmts = || program.body.stmts.iter().chain(&program.ending.stmts);
        let ended: BTreeSet<VarId> = stmts().filter_map(Stmt::ended).flat_map(|b| b.pattern.bindings()).collect();
        for binding in program.body.stmts.iter().filter_map(Stmt::begun).filter(|b| !b.constant) {
            for var in binding.pattern.bindings() {
                if self.shadows.is_active(var) && !ended.contains(&var) {
                    self.unbegun.push((var, binding.span));
                }
            }
            self.measure(binding, all);
        }
    }
}
