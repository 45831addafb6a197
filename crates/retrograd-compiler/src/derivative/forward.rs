//! The tangent of an expression: next to each value, how it moves.

use std::rc::Rc;

use super::backward::{accumulate, join, linear, negate};
use super::expression::{Expression, Node, Op, Passed};
use super::rules::Through;
use super::{Alias, cloned, let_register, plain_zero, zero};
use crate::ir::{
    Binding, BindingKind, Callee, Expr, ExprKind, MacroArgs, Member, Partial, Pattern, PatternKind, Place, Projection,
    Rule, Run, Stmt, VarId, VarKind,
};
use crate::span::Span;

impl Expression<'_, '_> {
    /// The tangent of a node; `None` where it does not move. What it is made of goes into registers.
    pub(crate) fn tangent(&mut self, node: usize) -> Option<Expr> {
        let span = self.nodes[node].expr.span;
        let tangent = match self.nodes[node].op.clone() {
            Op::Constant => return None,
            Op::Leaf(place) => return Some(self.shadows.shadow_place(&place).to_expr()),
            Op::Scalar(children, rule) => self.forward_scalar(node, &children, rule, span)?,
            Op::Parts(parts) => self.forward_parts(node, &parts, span),
            Op::Repeat(child) => {
                let tangent = Rc::new(self.tangent(child)?);
                let kind = match &self.nodes[node].expr.kind {
                    ExprKind::Macro { path, args: MacroArgs::Repeat(_, count) } => {
                        ExprKind::Macro { path: path.clone(), args: MacroArgs::Repeat(tangent, count.clone()) }
                    }
                    ExprKind::Repeat(_, count) => ExprKind::Repeat(tangent, count.clone()),
                    other => other.clone(),
                };
                Expr::new(kind, span)
            }
            Op::Part(child, steps) => {
                let whole = if self.is_shifted(child) { self.owned_tangent(child) } else { self.tangent(child)? };
                return Some(steps.into_iter().fold(whole, |whole, step| whole.part(step, span)));
            }
            Op::SinCos(child) => {
                let tangent = self.tangent(child)?;
                let tangent = self.moving(tangent);
                let value = self.value(node);
                let push = |i: usize| {
                    let number = value.clone().part(Projection::Field(Member::Index(i)), span);
                    Expr::rule(Rule::Push, vec![tangent.clone(), Expr::rule(Rule::Number, vec![number], span)], span)
                };
                Expr::new(ExprKind::Tuple(vec![push(1), negate(push(0))]), span)
            }
            Op::Form(child) => {
                let tangent = self.tangent(child)?;
                match &self.nodes[node].expr.kind {
                    ExprKind::Method { .. } if self.nodes[node].expr.is_copied_option() => cloned(tangent),
                    // A copy of the value has a copy of the tangent.
                    ExprKind::Method { method, turbofish, args, .. } => {
                        let kind = ExprKind::Method {
                            receiver: Rc::new(tangent),
                            method: method.clone(),
                            turbofish: turbofish.clone(),
                            args: args.clone(),
                        };
                        Expr::new(kind, span)
                    }
                    _ => return Some(tangent),
                }
            }
            Op::Cast(child) => {
                let tangent = self.tangent(child)?;
                let own = zero(self.value(node));
                Expr::rule(Rule::Partial(Partial::Cast), vec![own, tangent], span)
            }
            Op::Spread(child) => {
                let tangent = self.tangent(child)?;
                let own = zero(self.value(node));
                Expr::rule(Rule::Partial(Partial::Spread), vec![own, tangent], span)
            }
            Op::Call(callee, args, _) => return self.forward_call(node, &callee, &args),
            Op::Region => return Some(self.forward_region(node)),
            Op::Sum(sum) => {
                let var = self.begin_tangent(node);
                let turns = self.shadows.over_terms(&sum, |shadows| {
                    let mut inner = Expression::new(shadows);
                    let root = inner.node(&sum.term);
                    let tangent = inner.tangent(root);
                    let add = tangent.map(|t| accumulate(Place::var(var, span), linear(t, span), span));
                    inner.before.into_iter().chain(add).collect()
                });
                self.before.extend(turns);
                return Some(Expr::var(var, span));
            }
            Op::Collected(collected) => {
                let var = self.begin_tangent(node);
                let own = Place::var(var, span).then(Projection::Index(collected.place()));
                let turns = self.shadows.over_terms(&collected.terms, |shadows| {
                    let mut inner = Expression::new(shadows);
                    let root = inner.node(&collected.terms.term);
                    let tangent = inner.tangent(root).map(|tangent| inner.lent(root, tangent));
                    let add = tangent.map(|t| accumulate(own, t, span));
                    inner.before.into_iter().chain(add).collect()
                });
                self.before.extend(turns);
                return Some(Expr::var(var, span));
            }
            Op::Elements(elements) => {
                let value = self.value(node);
                let name = format!("tangent_{}", self.shadows.vars.len());
                let var = self.shadows.declare(&name, VarKind::Shadow { reference: false }, span);
                self.before.push(begin_mutable(var, zero(value), span));
                let own = Place::var(var, span).then(Projection::Index(elements.place()));
                let mut inner = Expression::new(self.shadows);
                let root = inner.node(&elements.element);
                let tangent = inner.added_tangent(root);
                let add = tangent.map(|t| accumulate(own, t, span));
                let body = inner.before.into_iter().chain(add).collect();
                self.before.push(elements.over(&Expr::var(var, span), body));
                return Some(Expr::var(var, span));
            }
        };
        Some(self.moving(tangent))
    }

    fn forward_scalar(&mut self, node: usize, children: &[usize], rule: &[Through], span: Span) -> Option<Expr> {
        let mut sum: Option<Expr> = None;
        let asked = self.asks_for_numbers(children, rule);
        for (child, through) in children.iter().zip(rule) {
            let Some(tangent) = (match through {
                Through::Nothing => None,
                Through::Same | Through::Opposite | Through::Times(_) | Through::Partial(..) => self.tangent(*child),
            }) else {
                continue;
            };
            let moved = match through {
                Through::Same if asked => tangent,
                Through::Opposite => negate(linear(tangent, span)),
                Through::Same | Through::Nothing => linear(tangent, span),
                Through::Times(_) | Through::Partial(..) => {
                    let partial = self.partial(node, children, *through)?;
                    let tangent = self.of_number(node, children, rule, tangent);
                    Expr::rule(Rule::Push, vec![tangent, partial], span)
                }
            };
            sum = Some(match sum {
                Some(sum) => join(sum, moved),
                None => moved,
            });
        }
        // Constant almost everywhere: a tangent of the right type, and zero.
        sum.or_else(|| {
            let value = self.value(node);
            Some(plain_zero(value))
        })
    }

    fn forward_parts(&mut self, node: usize, parts: &[(Projection, usize)], span: Span) -> Expr {
        let expr = self.nodes[node].expr.clone();
        // The value of a part is given away to the whole, so that the zeros of its parts come behind the tangents of the others.
        let mut tangents = || {
            let moving: Vec<Option<Expr>> = parts
                .iter()
                .map(|(_, child)| (!self.is_typed_by_others(*child)).then(|| self.part_tangent(*child)))
                .collect();
            let mut zero = |step: &Projection| zero(self.value(node).part(step.clone(), span));
            let all = parts.iter().zip(moving);
            all.map(|((step, _), moving)| moving.unwrap_or_else(|| zero(step))).collect()
        };
        let kind = match expr.kind {
            ExprKind::Tuple(_) => ExprKind::Tuple(tangents()),
            ExprKind::Array(_) => ExprKind::Array(tangents()),
            ExprKind::Macro { path, .. } => ExprKind::Macro { path, args: MacroArgs::List(tangents()) },
            // The shadow of a struct may be another struct: its zero, and then each part that moves.
            _ => {
                let tangents: Vec<_> = parts.iter().map(|(_, child)| self.added_tangent(*child)).collect();
                let var = self.begin_tangent(node);
                for ((step, child), tangent) in parts.iter().zip(tangents) {
                    if let Some(tangent) = tangent {
                        let at = self.nodes[*child].expr.span;
                        let place = Place { root: var, path: vec![step.clone()], span: at };
                        self.before.push(accumulate(place, tangent, at));
                    }
                }
                return Expr::var(var, span);
            }
        };
        Expr::new(kind, span)
    }

    /// The tangent of a node, and of the type that belongs to its value: the shadow of a constant field is of another one, and so
    /// is that of a real number to which a complex constant is added.
    pub(crate) fn owned_tangent(&mut self, node: usize) -> Expr {
        match self.tangent(node) {
            None => zero(self.value(node)),
            Some(tangent) if self.is_field(node) || self.is_shifted(node) => self.copied_tangent(node, tangent),
            Some(tangent) => tangent,
        }
    }

    /// Whether the type of a constant may follow from its neighbours only, such as that of `vec![]` or `None`.
    fn is_typed_by_others(&self, node: usize) -> bool {
        let Node { expr, op, .. } = &self.nodes[node];
        let made = matches!(
            expr.kind,
            ExprKind::Call { .. } | ExprKind::Macro { .. } | ExprKind::Array(_) | ExprKind::Path(_)
        );
        matches!(op, Op::Constant) && made
    }

    /// The tangent of a node that becomes a part of another: that of a local stays where it is.
    fn part_tangent(&mut self, node: usize) -> Expr {
        // A reference to a place has a copy of what the tangent of the place is there.
        let lent = matches!(self.nodes[node].expr.kind, ExprKind::Ref(_)) && !self.is_made(node);
        match (lent || self.is_moved(node)).then(|| self.tangent(node)).flatten() {
            Some(tangent) if lent => {
                let span = tangent.span;
                self.copied_tangent(node, Expr::borrow(tangent, span))
            }
            Some(tangent) => self.copied_tangent(node, tangent),
            None => self.owned_tangent(node),
        }
    }

    /// A copy of the tangent of a node, of the type that belongs to its value.
    fn copied_tangent(&mut self, node: usize, tangent: Expr) -> Expr {
        let tangent = self.left_there(node, tangent);
        let (var, span) = (self.begin_tangent(node), tangent.span);
        self.before.push(accumulate(Place::var(var, span), tangent, span));
        Expr::var(var, span)
    }

    /// The tangent of a node, to be added to another: that of a place is lent.
    fn lent(&self, node: usize, tangent: Expr) -> Expr {
        let span = tangent.span;
        match &self.nodes[node].op {
            Op::Leaf(_) => Expr::borrow(tangent, span),
            _ => tangent,
        }
    }

    /// The tangent of a node, to be added to another: that of what Rust would move stays where it is.
    pub(crate) fn added_tangent(&mut self, node: usize) -> Option<Expr> {
        self.tangent(node).map(|tangent| self.left_there(node, tangent))
    }

    /// The tangent of a node, to be added to another without moving it.
    fn left_there(&self, node: usize, tangent: Expr) -> Expr {
        let span = tangent.span;
        if self.is_moved(node) { Expr::borrow(tangent, span) } else { tangent }
    }

    /// Whether a node is a field of something, and perhaps a constant one.
    fn is_field(&self, node: usize) -> bool {
        let steps_into = |step: &Projection| matches!(step, Projection::Field(_));
        match &self.nodes[node].op {
            Op::Leaf(place) => self.shadows.resolved(place).path.iter().any(steps_into),
            Op::Part(child, steps) => steps.iter().any(steps_into) || self.is_field(*child),
            Op::Form(child) => self.is_field(*child),
            _ => false,
        }
    }

    /// Whether a constant is added somewhere on the way: it may be of another type than what moves.
    fn is_shifted(&self, node: usize) -> bool {
        match &self.nodes[node].op {
            Op::Scalar(children, rule) => {
                let added = |through: &Through| matches!(through, Through::Same | Through::Opposite);
                let constant = |child: &usize| !self.is_active(*child);
                rule.len() > 1 && rule.iter().all(added) && children.iter().any(constant)
                    || children.iter().any(|child| self.is_shifted(*child))
            }
            Op::Form(child) | Op::Spread(child) => self.is_shifted(*child),
            Op::Constant
            | Op::Leaf(_)
            | Op::Parts(_)
            | Op::Repeat(_)
            | Op::Part(..)
            | Op::SinCos(_)
            | Op::Cast(_)
            | Op::Call(..)
            | Op::Region
            | Op::Sum(_)
            | Op::Elements(_)
            | Op::Collected(_) => false,
        }
    }

    /// A tangent of zero, to be added to.
    pub(super) fn begin_tangent(&mut self, node: usize) -> VarId {
        let (value, span) = (self.value(node), self.nodes[node].expr.span);
        let name = format!("tangent_{}", self.shadows.vars.len());
        let var = self.shadows.declare(&name, VarKind::Shadow { reference: false }, span);
        self.before.push(begin_mutable(var, zero(value), span));
        var
    }

    fn forward_call(&mut self, node: usize, callee: &Callee, args: &[Passed]) -> Option<Expr> {
        let span = self.nodes[node].expr.span;
        let mut all = Vec::new();
        for arg in args {
            let (value, tangent) = match arg {
                Passed::Inactive(e) => (e.clone(), Expr::rule(Rule::NoShadow, Vec::new(), span)),
                Passed::Reference(e, place) => {
                    let shadow = self.shadows.shadow_place(place).to_expr();
                    let span = shadow.span;
                    (e.clone(), Expr::borrow(shadow, span))
                }
                Passed::Value(child) => {
                    // The zeros of tangents are shaped like the parts of the value, which are given away to it.
                    let tangent = self.owned_tangent(*child);
                    let tangent = self.passed_tangent(*child, tangent);
                    let again = self.uses(node) > 1;
                    (self.given(*child, again), tangent)
                }
            };
            all.extend([value, tangent]);
        }
        let run = ExprKind::Companion { callee: Box::new(callee.clone()), run: Run::Tangent, args: all };
        let (value, tangent) = self.pair(Expr::new(run, span));
        self.nodes[node].value = Some(value);
        Some(tangent)
    }

    /// Two registers for a pair.
    fn pair(&mut self, both: Expr) -> (Expr, Expr) {
        let span = both.span;
        let mut register = |role: &str| {
            let name = format!("{role}_{}", self.shadows.vars.len());
            self.shadows.declare(&name, VarKind::Register, span)
        };
        let (value, tangent) = (register("value"), register("tangent"));
        let parts = vec![Pattern::bind(value, span), Pattern::bind(tangent, span)];
        self.before.push(let_register(Pattern { kind: PatternKind::Tuple(parts), span }, both));
        (Expr::var(value, span), Expr::var(tangent, span))
    }

    fn moving(&mut self, tangent: Expr) -> Expr {
        if matches!(tangent.kind, ExprKind::Var(_)) {
            return tangent;
        }
        let (register, begin) = self.shadows.register("tangent", tangent);
        self.before.push(begin);
        register
    }
}

fn begin_mutable(var: VarId, value: Expr, span: Span) -> Stmt {
    Stmt::Begin(Binding {
        kind: BindingKind::Ancilla,
        pattern: Pattern::bind(var, span),
        ty: None,
        value,
        constant: false,
        span,
    })
}

/// A local begins to live, and its tangent with it.
pub(crate) fn begin_with_tangent(shadows: &mut super::Shadows<'_>, binding: &Binding) -> Vec<Stmt> {
    let span = binding.span;
    if let Alias::Name(shadow) = shadows.alias(binding) {
        return std::iter::once(Stmt::Begin(binding.clone())).chain(shadow).collect();
    }
    let names: Vec<_> = binding.pattern.bindings().into_iter().filter(|var| shadows.is_active(*var)).collect();
    // What has its value later has its tangent later.
    if let ExprKind::Rule(Rule::Later, _) = binding.value.kind {
        let later = |var| Binding { pattern: Pattern::bind(var, span), ty: None, ..binding.clone() };
        let shadows = names.into_iter().map(|var| Stmt::Begin(later(shadows.shadow(var))));
        return std::iter::once(Stmt::Begin(binding.clone())).chain(shadows).collect();
    }
    let flows = !binding.constant && shadows.active(&binding.value);
    if names.is_empty() || !flows {
        let mut stmts = vec![Stmt::Begin(binding.clone())];
        stmts.extend(names.into_iter().map(|var| shadows.zero(var, span)));
        return stmts;
    }
    let Some(pattern) = shadows.shadow_pattern(&binding.pattern) else {
        shadows.missing_pattern(&binding.pattern, "bind the value to one name, and reach its parts");
        return vec![Stmt::Begin(binding.clone())];
    };
    let mut expression = Expression::new(shadows);
    let root = expression.node(&binding.value);
    let tangent = expression.added_tangent(root);
    let value = expression.value(root);
    let direct = matches!(
        expression.nodes[root].op,
        Op::Form(_) | Op::Leaf(_) | Op::Parts(_) | Op::Repeat(_) | Op::SinCos(_) | Op::Call(..)
    ) && !expression.is_field(root)
        && !expression.is_moved(root);
    let mut stmts = expression.before;
    stmts.push(Stmt::Begin(Binding { value, ..binding.clone() }));
    let begin = |pattern, value| {
        Stmt::Begin(Binding { kind: BindingKind::Ancilla, pattern, ty: None, value, constant: false, span })
    };
    match (tangent, names.as_slice()) {
        // What is shaped by hand, and integers that were taken for numbers, have the type of their zero.
        (Some(tangent), [var]) if !direct => {
            let zero = shadows.zero(*var, span);
            let target = Place::var(shadows.shadow(*var), span);
            stmts.push(zero);
            stmts.push(accumulate(target, tangent, span));
        }
        (Some(tangent), _) => stmts.push(begin(pattern, tangent)),
        (None, _) => stmts.extend(names.iter().map(|var| shadows.zero(*var, span)).collect::<Vec<_>>()),
    }
    stmts
}
