//! Updates and maps of places that have adjoints.

use std::rc::Rc;

use super::Stage;
use crate::derivative::backward::negate;
use crate::derivative::rules::{self, Need, Through};
use crate::derivative::{Expression, Shadows};
use crate::invert::{invert_map, invert_stmt};
use crate::ir::{Block, Elementary, Expr, ExprKind, Map, MapFn, Partial, Place, Rule, Stmt, Update, UpdateOp, VarKind};
use crate::span::Span;

impl Stage<'_, '_, '_> {
    pub(super) fn update(&mut self, s: &Update, stmts: &mut Vec<Stmt>) {
        let span = s.span;
        let sum = self.sums.get(&s.target.root).copied();
        let undo = |operand| match sum {
            Some(sum) => Stmt::Update(Update {
                op: s.op,
                target: Place::var(sum, span),
                operand,
                written: None,
                kept: None,
                span,
            }),
            None => {
                let written = Some(Box::new(s.operand.clone()));
                invert_stmt(&Stmt::Update(Update { operand, written, ..s.clone() }))
            }
        };
        if !self.shadows.is_active(s.target.root) || s.op == UpdateOp::Xor {
            stmts.push(undo(s.operand.clone()));
            return;
        }
        let target = self.shadows.shadow_place(&s.target);
        let value = s.target.to_expr();
        let flows = self.shadows.active(&s.operand);
        let scale = |operand| {
            Stmt::Update(Update { op: UpdateOp::Mul, target: target.clone(), operand, written: None, kept: None, span })
        };
        match s.op {
            UpdateOp::Add | UpdateOp::Sub | UpdateOp::Xor => {
                if !flows {
                    stmts.push(undo(s.operand.clone()));
                    return;
                }
                let (adjoint, read) = self.shadows.register("adjoint", target.to_expr());
                let seed = if s.op == UpdateOp::Sub { negate(adjoint) } else { adjoint };
                let mut expression = Expression::new(&mut self.shadows);
                let root = expression.node(&s.operand);
                if s.op == UpdateOp::Add && self.once.contains(&s.target.root) {
                    expression.known(root, value);
                }
                let after = expression.adjoint(root, seed);
                let operand = expression.value(root);
                let before = expression.before;
                stmts.push(Stmt::Block(Block {
                    stmts: before.into_iter().chain([read]).chain(after).chain([undo(operand)]).collect(),
                    span,
                }));
            }
            UpdateOp::Mul | UpdateOp::Div => {
                let mut expression = Expression::new(&mut self.shadows);
                let root = expression.node(&s.operand);
                let operand = expression.value(root);
                let mut parts = vec![target.to_expr(), expression.shadows.number(value)];
                let rule = match self.has_determinant && is_of_an_argument(expression.shadows, &s.target) {
                    true => Rule::PullFactor,
                    false => Rule::Pull,
                };
                parts.extend((rule == Rule::PullFactor).then(|| expression.shadows.number(operand.clone())));
                let pulled = Expr::rule(rule, parts, span);
                let (seed, seeded) = expression.shadows.register("adjoint", pulled);
                let seed = if s.op == UpdateOp::Div { negate(seed) } else { seed };
                let after = if flows { expression.adjoint(root, seed) } else { Vec::new() };
                let mut inside = expression.before;
                let number = self.shadows.number(operand.clone());
                let seeded = flows.then_some(seeded);
                if s.op == UpdateOp::Mul {
                    // y is given back first: its adjoint goes to `e` times what y was.
                    inside.push(undo(operand));
                    inside.extend(seeded);
                    inside.push(scale(number));
                    inside.extend(after);
                } else {
                    let partial = Expr::rule(Rule::Partial(Partial::DivBy0), vec![number], span);
                    inside.push(scale(partial));
                    inside.extend(seeded);
                    inside.extend(after);
                    inside.push(undo(operand));
                }
                stmts.push(Stmt::Block(Block { stmts: inside, span }));
            }
        }
    }

    pub(super) fn map(&mut self, s: &Map, stmts: &mut Vec<Stmt>) {
        let span = s.span;
        let back = Stmt::Map(Map { function: invert_map(&s.function), ..s.clone() });
        if !self.shadows.is_active(s.target.root) {
            stmts.push(back);
            return;
        }
        let (partial, after_restoring) = map_partial(&self.shadows, &s.function, s.target.to_expr(), span);
        let (partial, begin) = self.shadows.register("partial", partial);
        let target = self.shadows.shadow_place(&s.target);
        let step =
            |op, operand| Stmt::Update(Update { op, target: target.clone(), operand, written: None, kept: None, span });
        let weighs = self.has_determinant && is_of_an_argument(&self.shadows, &s.target);
        let bend = weighs.then(|| bend(&s.function, s.target.to_expr(), partial.clone(), span)).flatten();
        let bend = bend.map(|(op, bend)| step(op, bend));
        let scale = step(UpdateOp::Mul, partial);
        let inside = match (&s.function, after_restoring) {
            (_, true) => [back, begin, scale].into_iter().chain(bend).collect(),
            (MapFn::Method(_), false) => [begin, back, scale].into_iter().chain(bend).collect(),
            // That of the inverse follows from the function, where it arrives.
            (MapFn::Function { .. }, false) => [begin, scale].into_iter().chain(bend).chain([back]).collect(),
        };
        stmts.push(Stmt::Block(Block { stmts: inside, span }));
    }
}

/// Whether a place may be one of an argument: what is computed into locals has no part in a determinant.
fn is_of_an_argument(shadows: &Shadows<'_>, place: &Place) -> bool {
    let root = shadows.resolved(place).root;
    !matches!(shadows.vars[root.0].kind, VarKind::Ancilla | VarKind::Let | VarKind::Bound | VarKind::Register)
}

/// What a bijection adds to the adjoint of its argument by log |m′|: m″/m′ at the number that the target holds, which is that before
/// the bijection; of the inverse of a user's function the one behind it.
fn bend(function: &MapFn, target: Expr, slope: Expr, span: Span) -> Option<(UpdateOp, Expr)> {
    let number = |e: Expr| Expr::rule(Rule::Number, vec![e], span);
    match function {
        MapFn::Method(Elementary::Conj) => None,
        MapFn::Method(function) => {
            let ratio = Expr::rule(Rule::Bent(*function), vec![number(target)], span);
            Some((UpdateOp::Add, Expr::rule(Rule::Bend, vec![ratio], span)))
        }
        MapFn::Function { path, inverse } => {
            let callee = path.clone().companion(proc_macro2::Ident::new("__bend", span.first));
            let callee = Rc::new(Expr::new(ExprKind::Path(callee), span));
            let ratio = Expr::new(ExprKind::Call { callee, args: vec![target] }, span);
            Some(match inverse {
                false => (UpdateOp::Add, Expr::rule(Rule::Bend, vec![ratio], span)),
                true => (UpdateOp::Sub, Expr::rule(Rule::Bend, vec![ratio, slope], span)),
            })
        }
    }
}

/// The derivative of a bijection at the number that its target holds, and whether that is the one before the bijection.
pub(crate) fn map_partial(shadows: &Shadows<'_>, function: &MapFn, target: Expr, span: Span) -> (Expr, bool) {
    match function {
        MapFn::Method(function) => {
            let [Through::Partial(partial, needs)] = rules::rule(*function) else {
                unreachable!("the bijections of `invert::inverse_method` have rules with one partial")
            };
            let args = needs.iter().map(|_| shadows.number(target.clone())).collect();
            (Expr::rule(Rule::Partial(*partial), args, span), needs.contains(&Need::Argument(0)))
        }
        MapFn::Function { path, inverse } => {
            let callee = path.clone().companion(proc_macro2::Ident::new("derivative", span.first));
            let callee = Rc::new(Expr::new(ExprKind::Path(callee), span));
            // A bijection is one of the target's type, and so is its derivative.
            let derivative = shadows.number(Expr::new(ExprKind::Call { callee, args: vec![target] }, span));
            match inverse {
                false => (derivative, true),
                // The derivative of the inverse is one over that of the function, where it arrives.
                true => (Expr::rule(Rule::Partial(Partial::DivBy0), vec![derivative], span), false),
            }
        }
    }
}
