//! Indices that are visibly different, whatever the values of the variables in them.

use super::Context;
use crate::ir::{BinaryOp, Expr, ExprKind, UnaryOp, Var};

/// A sum of expressions with whole factors, and a number: `2 * i - j + 3`.
#[derive(Clone)]
struct Linear {
    terms: Vec<(Expr, i128)>,
    constant: i128,
}

impl Linear {
    fn of(e: &Expr) -> Linear {
        let atom = |e: &Expr| Linear { terms: vec![(e.clone(), 1)], constant: 0 };
        match &e.kind {
            ExprKind::Lit(lit) => match &lit.0 {
                syn::Lit::Int(n) => match n.base10_parse() {
                    Ok(constant) => Linear { terms: Vec::new(), constant },
                    Err(_) => atom(e),
                },
                _ => atom(e),
            },
            ExprKind::Unary(UnaryOp::Neg, a) => Linear::of(a).scaled(-1),
            ExprKind::Unary(UnaryOp::Deref, a) => Linear::of(a),
            ExprKind::Binary(BinaryOp::Add, a, b) => Linear::of(a).plus(Linear::of(b)),
            ExprKind::Binary(BinaryOp::Sub, a, b) => Linear::of(a).plus(Linear::of(b).scaled(-1)),
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = (Linear::of(a), Linear::of(b));
                match (a.terms.is_empty(), b.terms.is_empty()) {
                    (true, _) => b.scaled(a.constant),
                    (_, true) => a.scaled(b.constant),
                    _ => atom(e),
                }
            }
            _ => atom(e),
        }
    }

    fn scaled(mut self, factor: i128) -> Linear {
        self.terms.iter_mut().for_each(|(_, n)| *n *= factor);
        self.constant *= factor;
        self.terms.retain(|(_, n)| *n != 0);
        self
    }

    fn plus(mut self, other: Linear) -> Linear {
        for (e, n) in other.terms {
            match self.terms.iter_mut().find(|(known, _)| *known == e) {
                Some((_, m)) => *m += n,
                None => self.terms.push((e, n)),
            }
        }
        self.terms.retain(|(_, n)| *n != 0);
        self.constant += other.constant;
        self
    }

    fn minus(self, other: Linear) -> Linear {
        self.plus(other.scaled(-1))
    }
}

impl Context<'_> {
    /// Whether two indices can be seen to differ: by a number, as `i` and `i + 1`, or by the ranges of loop
    /// variables, as `i` and `j` in `for j in i + 1..n`.
    pub fn visibly_different(&self, a: &Expr, b: &Expr) -> bool {
        if let (ExprKind::Tuple(a), ExprKind::Tuple(b)) = (&a.kind, &b.kind) {
            return a.len() == b.len() && a.iter().zip(b).any(|(a, b)| self.visibly_different(a, b));
        }
        let ((a_start, a_end), (b_start, b_end)) = (ends(a), ends(b));
        let before = |end: &Option<Linear>, start: &Option<Linear>| match (end, start) {
            (Some(end), Some(start)) => self.at_least(start.clone().minus(end.clone()), 0),
            _ => false,
        };
        before(&a_end, &b_start) || before(&b_end, &a_start)
    }

    /// Whether two indices can be seen to have an element in common: `i + 1` and `1 + i`, or `..` and anything.
    pub fn visibly_overlapping(&self, a: &Expr, b: &Expr) -> bool {
        if let (ExprKind::Tuple(a), ExprKind::Tuple(b)) = (&a.kind, &b.kind) {
            return a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.visibly_overlapping(a, b));
        }
        let ((a_start, a_end), (b_start, b_end)) = (ends(a), ends(b));
        let zero = Some(number(0));
        let starts_before = |start: Option<Linear>, end: Option<Linear>| match (start.or(zero.clone()), end) {
            (Some(start), Some(end)) => self.at_least(end.minus(start), 1),
            _ => true,
        };
        starts_before(a_start, b_end) && starts_before(b_start, a_end)
    }

    /// Whether a sum is at least `least`, by what is known about loop variables. Inner loops come first: their
    /// bounds speak of the outer ones.
    fn at_least(&self, mut sum: Linear, least: i128) -> bool {
        for _ in 0..8 {
            if sum.terms.is_empty() {
                return sum.constant >= least;
            }
            let innermost = sum
                .terms
                .iter()
                .filter_map(|(e, n)| match e.kind {
                    ExprKind::Var(var) => self.bounds.get(&var).map(|bounds| (var, *n, bounds)),
                    _ => None,
                })
                .max_by_key(|(var, ..)| *var);
            let Some((var, factor, (start, end, inclusive))) = innermost else { return false };
            sum.terms.retain(|(e, _)| e.kind != ExprKind::Var(var));
            let extreme = if factor > 0 {
                Linear::of(start)
            } else {
                Linear::of(end).plus(number(if *inclusive { 0 } else { -1 }))
            };
            sum = sum.plus(extreme.scaled(factor));
        }
        false
    }
}

/// Whether an index may be a range, so that it means a slice and not an element.
pub fn may_be_range(vars: &[Var], e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Range { .. } => true,
        ExprKind::Var(var) => vars[var.0].range,
        ExprKind::Ref(inner) | ExprKind::Unary(UnaryOp::Deref, inner) => may_be_range(vars, inner),
        // What a call returns is not known; a copy is what it is a copy of.
        ExprKind::Method { receiver, method, .. } if method == "clone" => match &receiver.kind {
            ExprKind::Var(var) => vars[var.0].range,
            _ => true,
        },
        ExprKind::Call { .. } => true,
        _ => false,
    }
}

/// The first index, and the one behind the last.
fn ends(e: &Expr) -> (Option<Linear>, Option<Linear>) {
    match &e.kind {
        ExprKind::Range { start, end, inclusive } => {
            let start = start.as_deref().map(Linear::of);
            let end = end.as_deref().map(|e| Linear::of(e).plus(number(i128::from(*inclusive))));
            (start, end)
        }
        _ => (Some(Linear::of(e)), Some(Linear::of(e).plus(number(1)))),
    }
}

fn number(constant: i128) -> Linear {
    Linear { terms: Vec::new(), constant }
}
