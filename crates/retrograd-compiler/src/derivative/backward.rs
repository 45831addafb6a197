//! The adjoint of an expression: the expression reversed, with its intermediate values in registers.

use std::rc::Rc;

use super::expression::{Expression, Op, Passed};
use super::patterns::spelled_out;
use super::rules::{self, Need, Through};
use super::variants::is_part;
use super::{cloned, let_register, zero};
use crate::ir::{
    Binding, BindingKind, Callee, Expr, ExprKind, Member, Partial, Pattern, PatternKind, Place, Projection, Rule, Run,
    Stmt, Update, UpdateOp, VarId, VarKind,
};
use crate::span::Span;

impl Expression<'_, '_> {
    /// Takes the adjoint `seed` of the node back to the places that the expression reads.
    pub(crate) fn adjoint(&mut self, root: usize, seed: Expr) -> Vec<Stmt> {
        let mut after = Vec::new();
        let mut arriving: Vec<Vec<Expr>> = vec![Vec::new(); self.nodes.len()];
        arriving[root].push(seed);
        for node in (0..=root).rev() {
            let alone = arriving[node].len() == 1;
            let stays = alone && matches!(self.nodes[node].op, Op::Parts(_) | Op::Leaf(_));
            let arrives = std::mem::take(&mut arriving[node]);
            let sum = arrives.into_iter().map(|adjoint| if stays { adjoint } else { taken(adjoint) }).reduce(join);
            if let Some(adjoint) = sum {
                self.back(node, adjoint, &mut arriving, &mut after);
            }
        }
        after
    }

    fn back(&mut self, node: usize, adjoint: Expr, arriving: &mut [Vec<Expr>], after: &mut Vec<Stmt>) {
        let span = self.nodes[node].expr.span;
        match self.nodes[node].op.clone() {
            Op::Constant => {}
            Op::Leaf(place) => {
                let target = self.shadows.shadow_place(&place);
                let adjoint = if is_fixed(&adjoint) { Expr::borrow(adjoint, span) } else { adjoint };
                after.push(accumulate(target, adjoint, span));
            }
            Op::Scalar(children, rule) => self.back_scalar(node, &children, rule, adjoint, arriving, after),
            Op::Parts(parts) if parts.first().is_some_and(|(step, _)| is_element(step)) => {
                // What is in an array or in a `Vec` cannot be moved out of it by its place.
                let names = parts.iter().map(|(_, child)| self.is_active(*child).then(|| self.name("adjoint", span)));
                let names: Vec<Option<VarId>> = names.collect();
                let wild = || Pattern { kind: PatternKind::Wild, span };
                let patterns = names.iter().map(|name| name.map_or_else(wild, |name| Pattern::bind(name, span)));
                let pattern = Pattern { kind: PatternKind::Slice(patterns.collect()), span };
                let adjoint = taken(adjoint);
                after.push(let_register(pattern, Expr::rule(Rule::Partial(Partial::Elements), vec![adjoint], span)));
                for (name, (_, child)) in names.into_iter().zip(parts) {
                    arriving[child].extend(name.map(|name| Expr::var(name, span)));
                }
            }
            Op::Parts(parts) => {
                let adjoint = if is_fixed(&adjoint) { adjoint } else { self.held(adjoint, after) };
                for (step, child) in parts {
                    if self.is_active(child) {
                        arriving[child].push(adjoint.clone().part(step, span));
                    }
                }
            }
            Op::Repeat(child) => {
                let one = zero(self.value(child));
                arriving[child].push(Expr::rule(Rule::Partial(Partial::Total), vec![one, adjoint], span));
            }
            Op::Part(child, steps) => {
                // Zero but for the part.
                let whole = self.value(child);
                let (register, begin) = self.mutable(zero(whole), span);
                after.push(begin);
                let place = Place { root: register, path: steps, span };
                after.push(accumulate(place, adjoint, span));
                arriving[child].push(Expr::var(register, span));
            }
            Op::SinCos(child) => {
                let adjoint = self.held(adjoint, after);
                let value = self.value(node);
                let member = |e: &Expr, i: usize| e.clone().part(Projection::Field(Member::Index(i)), span);
                let pull = |i: usize, j: usize| {
                    let number = Expr::rule(Rule::Number, vec![member(&value, j)], span);
                    Expr::rule(Rule::Pull, vec![member(&adjoint, i), number], span)
                };
                arriving[child].push(join(pull(0, 1), negate(pull(1, 0))));
            }
            // The adjoint of a form of a value is taken back into one of the value's own shape; where it ends at a place, that has it.
            Op::Form(child) if self.is_made(child) && matches!(self.nodes[node].expr.kind, ExprKind::Method { .. }) => {
                let value = self.value(child);
                let (register, begin) = self.mutable(zero(value), span);
                after.push(begin);
                after.push(accumulate(Place::var(register, span), adjoint, span));
                arriving[child].push(Expr::var(register, span));
            }
            // The adjoints of all lanes are added up where they are added to.
            Op::Form(child) | Op::Spread(child) => arriving[child].push(adjoint),
            Op::Cast(child) => {
                // What was cast may be an integer: its shadow takes nothing.
                let own = zero(self.value(child));
                arriving[child].push(Expr::rule(Rule::Partial(Partial::Cast), vec![own, adjoint], span));
            }
            Op::Call(callee, args, run) => self.back_call(node, (&callee, run), &args, adjoint, arriving, after),
            Op::Sum(sum) => {
                let adjoint = self.held(linear(adjoint, span), after);
                let turns =
                    self.shadows.over_terms(&sum, |shadows| Expression::new(shadows).branch(&sum.term, &adjoint).stmts);
                after.extend(turns);
            }
            Op::Elements(elements) => {
                let adjoint = self.held(adjoint, after);
                let own = adjoint.clone().part(Projection::Index(elements.place()), span);
                let body = Expression::new(self.shadows).branch(&elements.element, &own).stmts;
                after.push(elements.over(&adjoint, body));
            }
            Op::Collected(collected) => {
                let adjoint = self.held(adjoint, after);
                let own = adjoint.part(Projection::Index(collected.place()), span);
                let turns = self.shadows.over_terms(&collected.terms, |shadows| {
                    Expression::new(shadows).branch(&collected.terms.term, &own).stmts
                });
                after.extend(turns);
            }
            Op::Region => {
                let adjoint = self.held(adjoint, after);
                let expr = self.nodes[node].expr.clone();
                after.push(self.region(&expr, &adjoint));
            }
        }
    }

    fn back_scalar(
        &mut self,
        node: usize,
        children: &[usize],
        rule: &[Through],
        adjoint: Expr,
        arriving: &mut [Vec<Expr>],
        after: &mut Vec<Stmt>,
    ) {
        let span = self.nodes[node].expr.span;
        let adjoint = self.of_number(node, children, rule, adjoint);
        // `a * a` of a number: of a matrix, its two factors stand on different sides.
        let squares = rule.len() == 2 && rule[0] == Through::Times(1) && children[0] == children[1];
        if squares && self.is_number(children[0]) {
            let number = self.number(children[0]);
            let partial = Expr::rule(Rule::Partial(Partial::Square), vec![number], span);
            arriving[children[0]].push(Expr::rule(Rule::Pull, vec![adjoint, partial], span));
            return;
        }
        // `a / b`: the adjoint of `a`, once computed, serves for `b` as well, and saves a division.
        if rule == rules::QUOTIENT && children.iter().all(|child| self.is_active(*child)) {
            let Some(partial) = self.partial(node, children, rule[0]) else { return };
            let dividend = Expr::rule(Rule::Pull, vec![adjoint, partial], span);
            let dividend = self.held(dividend, after);
            let quotient = self.number(node);
            let divisor = negate(Expr::rule(Rule::Pull, vec![dividend.clone(), quotient], span));
            arriving[children[0]].push(dividend);
            arriving[children[1]].push(divisor);
            return;
        }
        let flowing = children.iter().filter(|child| self.is_active(**child)).count();
        let adjoint = if flowing > 1 { self.held(adjoint, after) } else { adjoint };
        let asked = self.asks_for_numbers(children, rule);
        for (child, through) in children.iter().zip(rule) {
            if !self.is_active(*child) {
                continue;
            }
            let arrives = match through {
                Through::Same if asked => adjoint.clone(),
                Through::Same => linear(adjoint.clone(), span),
                Through::Opposite => negate(linear(adjoint.clone(), span)),
                Through::Nothing => continue,
                Through::Times(_) | Through::Partial(..) => {
                    let Some(partial) = self.partial(node, children, *through) else { continue };
                    Expr::rule(Rule::Pull, vec![adjoint.clone(), partial], span)
                }
            };
            arriving[*child].push(arrives);
        }
    }

    /// Whether a partial derivative through which something flows asks that all operands are numbers; then nothing else has to.
    pub(super) fn asks_for_numbers(&self, children: &[usize], rule: &[Through]) -> bool {
        let asks = |through: &Through| matches!(through, Through::Times(_) | Through::Partial(..));
        children.iter().zip(rule).any(|(child, through)| asks(through) && self.is_active(*child))
    }

    /// A derivative of a node, to go through partial derivatives. Where one of these is visibly made of numbers and the value of the node
    /// is not visibly a number, it has to be one.
    pub(super) fn of_number(&self, node: usize, children: &[usize], rule: &[Through], derivative: Expr) -> Expr {
        // What went through a partial derivative is one of a number anyway.
        if matches!(derivative.kind, ExprKind::Rule(Rule::Pull | Rule::Push | Rule::OfNumber, _))
            || self.is_number(node)
        {
            return derivative;
        }
        let made_of_numbers = |(child, through): (&usize, &Through)| {
            let visible = match through {
                Through::Times(neighbour) => self.is_number(children[*neighbour]),
                Through::Partial(_, needs) => needs.iter().all(|need| match need {
                    Need::Argument(i) => self.is_number(children[*i]),
                    Need::Value => false,
                }),
                Through::Same | Through::Opposite | Through::Nothing => false,
            };
            visible && self.is_active(*child)
        };
        match children.iter().zip(rule).any(made_of_numbers) {
            true => Expr::rule(Rule::OfNumber, vec![derivative], self.nodes[node].expr.span),
            false => derivative,
        }
    }

    /// A call runs its callee there and back: what is shared between arguments gets a shadow of its own first.
    fn back_call(
        &mut self,
        node: usize,
        (callee, run): (&Callee, Run),
        args: &[Passed],
        adjoint: Expr,
        arriving: &mut [Vec<Expr>],
        after: &mut Vec<Stmt>,
    ) {
        let span = self.nodes[node].expr.span;
        let mut all = Vec::new();
        let mut shared: Vec<(Place, Expr)> = Vec::new();
        let mut taken = Vec::new();
        let reference = |e: Expr| {
            let span = e.span;
            Expr::new(ExprKind::RefMut(Rc::new(e)), span)
        };
        for arg in args {
            match arg {
                Passed::Inactive(e) => {
                    all.push(e.clone());
                    all.push(Expr::rule(Rule::NoShadow, Vec::new(), span));
                }
                Passed::Reference(e, place) => {
                    let shadow = self.shadows.shadow_place(place);
                    all.push(e.clone());
                    if taken.contains(&shadow.root) {
                        let (register, begin) = self.mutable(zero(e.clone()), span);
                        after.push(begin);
                        shared.push((shadow, Expr::var(register, span)));
                        all.push(reference(Expr::var(register, span)));
                    } else {
                        taken.push(shadow.root);
                        all.push(reference(shadow.to_expr()));
                    }
                }
                Passed::Value(child) => {
                    let value = self.value(*child);
                    let (register, begin) = self.mutable(zero(value), span);
                    after.push(begin);
                    all.push(self.given(*child, false));
                    all.push(reference(Expr::var(register, span)));
                    arriving[*child].push(Expr::var(register, span));
                }
            }
        }
        all.push(Expr::rule(Rule::Arrive, vec![adjoint], span));
        let called = ExprKind::Companion { callee: Box::new(callee.clone()), run, args: all };
        let (value, begin) = self.shadows.register("value", Expr::new(called, span));
        after.push(begin);
        // Where nothing needed the value of the whole before, here it is.
        if node + 1 == self.nodes.len() && run == Run::Adjoint {
            self.nodes[node].value.get_or_insert(value);
        }
        after.extend(shared.into_iter().map(|(place, sum)| accumulate(place, sum, span)));
    }

    /// An adjoint that is used more than once, in a register.
    fn held(&mut self, adjoint: Expr, after: &mut Vec<Stmt>) -> Expr {
        if matches!(adjoint.kind, ExprKind::Var(_)) {
            return adjoint;
        }
        let (register, begin) = self.shadows.register("adjoint", adjoint);
        after.push(begin);
        register
    }

    /// A register that a pattern fills.
    fn name(&mut self, role: &str, span: Span) -> VarId {
        let name = format!("{role}_{}", self.shadows.vars.len());
        self.shadows.declare(&name, VarKind::Register, span)
    }

    fn mutable(&mut self, value: Expr, span: Span) -> (VarId, Stmt) {
        let name = format!("adjoint_{}", self.shadows.vars.len());
        let var = self.shadows.declare(&name, VarKind::Shadow { reference: false }, span);
        let pattern = Pattern::bind(var, span);
        let begin = Binding { kind: BindingKind::Ancilla, pattern, ty: None, value, constant: false, span };
        (var, Stmt::Begin(begin))
    }
}

/// What flows into a local flows on into what it was computed from, when it ends its life.
pub(crate) fn end_of_let(shadows: &mut super::Shadows<'_>, binding: &Binding) -> Vec<Stmt> {
    if binding.constant || binding.pattern.kind == PatternKind::Wild || !shadows.active(&binding.value) {
        return Vec::new();
    }
    // A value that is written part by part, and taken apart again: each part for itself.
    let parts = match (&binding.pattern.kind, &binding.value.kind) {
        (PatternKind::Tuple(parts), ExprKind::Tuple(values)) | (PatternKind::Slice(parts), ExprKind::Array(values)) => {
            let parts = spelled_out(parts, values.len());
            let skips = parts.iter().any(|part| part.kind == PatternKind::Wild);
            skips.then(|| parts.into_iter().zip(values.clone()))
        }
        _ => None,
    };
    if let Some(parts) = parts {
        let part = |(pattern, value)| end_of_let(shadows, &Binding { pattern, value, ty: None, ..binding.clone() });
        return parts.flat_map(part).collect();
    }
    let Some(seed) = shadow_of(shadows, &binding.pattern) else {
        shadows.missing_pattern(&binding.pattern, "bind the value to one name, and reach its parts");
        return Vec::new();
    };
    let mut expression = Expression::new(shadows);
    let root = expression.node(&binding.value);
    // A name that is not changed still holds the value.
    if binding.kind == BindingKind::Let
        && let Some(value) = value_of(&binding.pattern)
    {
        expression.known(root, value);
    }
    let after = expression.adjoint(root, seed);
    let mut stmts = expression.before;
    stmts.extend(after);
    stmts
}

/// The value that a pattern of plain names was bound to.
fn value_of(pattern: &Pattern) -> Option<Expr> {
    match &pattern.kind {
        PatternKind::Bind { var, by_ref: false, sub: None } => Some(Expr::var(*var, pattern.span)),
        PatternKind::Tuple(parts) => {
            let parts = parts.iter().map(value_of).collect::<Option<Vec<_>>>()?;
            Some(Expr::new(ExprKind::Tuple(parts), pattern.span))
        }
        _ => None,
    }
}

/// The shadow of what a pattern was bound to.
fn shadow_of(shadows: &mut super::Shadows<'_>, pattern: &Pattern) -> Option<Expr> {
    let span = pattern.span;
    match &pattern.kind {
        PatternKind::Bind { var, by_ref: false, sub: None } if shadows.is_active(*var) => {
            Some(Expr::var(shadows.shadow(*var), span))
        }
        PatternKind::Tuple(parts) => {
            let parts = parts.iter().map(|p| shadow_of(shadows, p)).collect::<Option<Vec<_>>>()?;
            Some(Expr::new(ExprKind::Tuple(parts), span))
        }
        PatternKind::Slice(parts) => {
            let parts = parts.iter().map(|p| shadow_of(shadows, p)).collect::<Option<Vec<_>>>()?;
            Some(Expr::new(ExprKind::Array(parts), span))
        }
        PatternKind::Bind { var, by_ref: false, sub: None } => Some(zero(Expr::var(*var, span))),
        // Nothing flows into what has no name.
        PatternKind::Wild => Some(Expr::new(ExprKind::Tuple(Vec::new()), span)),
        _ => None,
    }
}

/// `place += adjoint`
pub(crate) fn accumulate(target: Place, adjoint: Expr, span: Span) -> Stmt {
    let (negated, operand) = signed(adjoint);
    let op = if negated { UpdateOp::Sub } else { UpdateOp::Add };
    Stmt::Update(Update { op, target, operand, written: None, kept: None, span })
}

/// The sum of two shadows.
pub(crate) fn join(a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr::rule(Rule::Join, vec![a, b], span)
}

/// A derivative through a sum or a difference. What went through a partial derivative is one of a number anyway.
pub(crate) fn linear(e: Expr, span: Span) -> Expr {
    if let ExprKind::Rule(Rule::Pull | Rule::Push | Rule::Linear | Rule::OfNumber, _) = e.kind {
        return e;
    }
    match signed(e) {
        (true, e) => negate(linear(e, span)),
        (false, e) => Expr::rule(Rule::Linear, vec![e], span),
    }
}

/// A shadow with the other sign.
pub(crate) fn negate(e: Expr) -> Expr {
    let span = e.span;
    match signed(e) {
        (true, e) => e,
        (false, e) => Expr::rule(Rule::Negate, vec![e], span),
    }
}

/// Whether a shadow has the other sign, and what is behind that.
fn signed(e: Expr) -> (bool, Expr) {
    match e.kind {
        ExprKind::Rule(Rule::Negate, mut args) if args.len() == 1 => (true, args.remove(0)),
        _ => (false, e),
    }
}

/// Whether an adjoint is behind an index, so that it cannot be moved out of its place.
fn is_fixed(adjoint: &Expr) -> bool {
    let is_index = |step: &Projection| matches!(step, Projection::Index(_));
    adjoint.as_place().is_some_and(|place| place.path.iter().any(is_index))
}

/// An adjoint that is moved.
fn taken(adjoint: Expr) -> Expr {
    if is_fixed(&adjoint) { cloned(adjoint) } else { adjoint }
}

/// Whether a step leads to an element of an array, and not to a part of a variant.
fn is_element(step: &Projection) -> bool {
    matches!(step, Projection::Index(index) if !is_part(index))
}
