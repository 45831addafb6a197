//! Branches inside an expression: they are taken once more, for the derivative of what they give.

use super::backward::{accumulate, end_of_let};
use super::expression::Expression;
use super::forward::begin_with_tangent;
use super::patterns::spelled_out;
use crate::ir::{Arm, Block, Condition, Expr, ExprKind, If, Match, Pattern, PatternKind, Place, Stmt, VarId};

impl Expression<'_, '_> {
    /// The same choice as a statement, of an expression that is one.
    fn choice(&mut self, e: &Expr, branch: &mut dyn FnMut(&mut Self, &Expr) -> Block) -> Option<Stmt> {
        let span = e.span;
        match &e.kind {
            ExprKind::If { condition, then, otherwise } => {
                condition.lets().for_each(|(pattern, scrutinee)| self.bound(scrutinee, pattern));
                let condition = Condition { pre: (**condition).clone(), post: None };
                let (then, otherwise) = (branch(self, then), Some(branch(self, otherwise)));
                Some(Stmt::If(If { condition, then, otherwise, span }))
            }
            ExprKind::Match { scrutinee, arms } => {
                let arms = arms
                    .iter()
                    .map(|arm| {
                        self.bound(scrutinee, &arm.pattern);
                        let body = branch(self, &arm.value);
                        Arm { pattern: arm.pattern.clone(), guard: arm.guard.clone(), body }
                    })
                    .collect();
                Some(Stmt::Match(Match { scrutinee: (**scrutinee).clone(), arms, span }))
            }
            _ => None,
        }
    }

    /// The same branch, with the adjoint of what it gives.
    pub(super) fn region(&mut self, e: &Expr, seed: &Expr) -> Stmt {
        if let Some(choice) = self.choice(e, &mut |own, branch| own.branch(branch, seed)) {
            return choice;
        }
        let ExprKind::Block { lets, tail } = &e.kind else { return Stmt::Block(self.branch(e, seed)) };
        let span = e.span;
        let mut stmts = Vec::new();
        for (pattern, ty, value) in lets {
            let binding = self.shadows.let_inside(pattern, ty, value);
            let alias = self.shadows.alias(&binding).is_name();
            stmts.push(Stmt::Begin(binding));
            for var in pattern.bindings() {
                if !alias && self.shadows.is_active(var) {
                    stmts.push(self.shadows.zero(var, span));
                }
            }
        }
        stmts.extend(self.branch(tail, seed).stmts);
        for (pattern, ty, value) in lets.iter().rev() {
            let binding = self.shadows.let_inside(pattern, ty, value);
            if !self.shadows.alias(&binding).is_name() {
                stmts.extend(end_of_let(self.shadows, &binding));
            }
        }
        Stmt::Block(Block { stmts, span })
    }

    /// The adjoint of what a branch gives, taken back to the places that it reads.
    pub(super) fn branch(&mut self, e: &Expr, seed: &Expr) -> Block {
        let mut inner = Expression::new(self.shadows);
        let root = inner.node(e);
        let after = inner.adjoint(root, seed.clone());
        let mut stmts = inner.before;
        stmts.extend(after);
        Block { stmts, span: e.span }
    }

    /// A branch is taken once more for the tangent of its value.
    pub(super) fn forward_region(&mut self, node: usize) -> Expr {
        let expr = self.nodes[node].expr.clone();
        let var = self.begin_tangent(node);
        let block = self.add_tangent(&expr, var);
        self.before.extend(block.stmts);
        Expr::var(var, expr.span)
    }

    /// Adds the tangent of an expression to a variable.
    fn add_tangent(&mut self, e: &Expr, var: VarId) -> Block {
        let span = e.span;
        if let Some(choice) = self.choice(e, &mut |own, branch| own.add_tangent(branch, var)) {
            return Block { stmts: vec![choice], span };
        }
        if let ExprKind::Block { lets, tail } = &e.kind {
            let mut stmts = Vec::new();
            for (pattern, ty, value) in lets {
                let binding = self.shadows.let_inside(pattern, ty, value);
                stmts.extend(begin_with_tangent(self.shadows, &binding));
            }
            stmts.extend(self.add_tangent(tail, var).stmts);
            return Block { stmts: vec![Stmt::Block(Block { stmts, span })], span };
        }
        let mut inner = Expression::new(self.shadows);
        let root = inner.node(e);
        let tangent = inner.added_tangent(root);
        let add = tangent.map(|t| accumulate(Place::var(var, span), t, span));
        Block { stmts: inner.before.into_iter().chain(add).collect(), span }
    }

    /// Names that a pattern takes out of a place are names for its parts.
    pub(crate) fn bound(&mut self, scrutinee: &Expr, pattern: &Pattern) {
        if let (ExprKind::Tuple(values), PatternKind::Tuple(parts)) = (&scrutinee.kind, &pattern.kind) {
            let parts = spelled_out(parts, values.len());
            values.iter().zip(&parts).for_each(|(value, part)| self.bound(value, part));
            return;
        }
        let place = scrutinee.looked_at().as_place();
        if self.shadows.active(scrutinee) && self.shadows.missing_element(scrutinee.looked_at()) {
            return;
        }
        let known = match &place {
            Some(place) => self.shadows.alias_pattern(pattern, place, false),
            None => pattern.bindings().iter().all(|var| !self.shadows.is_active(*var)),
        };
        if !known {
            let instead = match &place {
                None => "give the value a name first, `let t = ..;`, and match on that",
                Some(_) => {
                    "whether that is a variant is not visible here: write the name of the enum in front, `Enum::Variant(..)`; of a \
                     struct, reach the parts, `s.0`"
                }
            };
            self.shadows.missing_pattern(pattern, instead);
        }
    }
}
