//! Indices that are visibly different, whatever the values of the variables in them.

use std::rc::Rc;

use super::Context;
use crate::ir::{BinaryOp, Expr, ExprKind, Known, UnaryOp, Var, VarId};

/// A sum of expressions with whole factors, and a number: `2 * i - j + 3`.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    terms: Vec<(Expr, i128)>,
    constant: i128,
}

/// The elements of one turn of a loop: those from `size * (k + ahead)` to below `size * (k + ahead + 1)` in turn `k`.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockOfTurn {
    /// How many there are for each turn.
    pub size: Linear,
    /// How many turns further on they belong.
    pub ahead: i128,
}

impl Linear {
    fn of(e: &Expr) -> Linear {
        let atom = |e: &Expr| Linear { terms: vec![(e.clone(), 1)], constant: 0 };
        match &e.kind {
            ExprKind::Lit(literal) => match literal.as_integer().map(i128::try_from) {
                Some(Ok(constant)) => Linear { terms: Vec::new(), constant },
                Some(Err(_)) | None => atom(e),
            },
            ExprKind::Unary(UnaryOp::Neg, a) => Linear::of(a).scaled(-1).unwrap_or_else(|| atom(e)),
            ExprKind::Unary(UnaryOp::Deref, a) => Linear::of(a),
            ExprKind::Binary(BinaryOp::Add, a, b) => Linear::of(a).plus(Linear::of(b)).unwrap_or_else(|| atom(e)),
            ExprKind::Binary(BinaryOp::Sub, a, b) => Linear::of(a).minus(Linear::of(b)).unwrap_or_else(|| atom(e)),
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = (Linear::of(a), Linear::of(b));
                let product = match (a.terms.is_empty(), b.terms.is_empty()) {
                    (true, _) => b.scaled(a.constant),
                    (_, true) => a.scaled(b.constant),
                    _ => a.times(&b),
                };
                product.unwrap_or_else(|| atom(e))
            }
            _ => atom(e),
        }
    }

    // `None`: a number is too large, and nothing is known.

    fn scaled(mut self, factor: i128) -> Option<Linear> {
        for (_, n) in &mut self.terms {
            *n = n.checked_mul(factor)?;
        }
        self.constant = self.constant.checked_mul(factor)?;
        self.terms.retain(|(_, n)| *n != 0);
        Some(self)
    }

    fn plus(mut self, other: Linear) -> Option<Linear> {
        for (e, n) in other.terms {
            match self.terms.iter_mut().find(|(known, _)| *known == e) {
                Some((_, m)) => *m = m.checked_add(n)?,
                None => self.terms.push((e, n)),
            }
        }
        self.terms.retain(|(_, n)| *n != 0);
        self.constant = self.constant.checked_add(other.constant)?;
        Some(self)
    }

    /// The product, by terms: `d * (k + 1)` is `d * k + d`.
    fn times(&self, other: &Linear) -> Option<Linear> {
        let mut product = number(self.constant.checked_mul(other.constant)?);
        let one_sided = |sum: &Linear, factor: i128| Linear { constant: 0, ..sum.clone() }.scaled(factor);
        product = product.plus(one_sided(self, other.constant)?)?.plus(one_sided(other, self.constant)?)?;
        for (a, n) in &self.terms {
            for (b, m) in &other.terms {
                // The order of factors is that of variables, so that `d * k` is `k * d`.
                let (first, second) = match (&a.kind, &b.kind) {
                    (ExprKind::Var(x), ExprKind::Var(y)) if y < x => (b, a),
                    _ => (a, b),
                };
                let kind = ExprKind::Binary(BinaryOp::Mul, Rc::new(first.clone()), Rc::new(second.clone()));
                let term = (Expr::new(kind, a.span), n.checked_mul(*m)?);
                product = product.plus(Linear { terms: vec![term], constant: 0 })?;
            }
        }
        Some(product)
    }

    /// The difference, unless a number in it is too large.
    pub fn minus(self, other: Linear) -> Option<Linear> {
        self.plus(other.scaled(-1)?)
    }

    /// Whether it is this number.
    pub fn is(&self, constant: i128) -> bool {
        *self == number(constant)
    }

    /// The number that it is, if it is one.
    pub fn as_number(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// What it is a sum of, numbers left out.
    pub fn terms(&self) -> impl Iterator<Item = &Expr> {
        self.terms.iter().map(|(term, _)| term)
    }
}

impl Context<'_> {
    /// Whether two indices can be seen to differ: by a number, as `i` and `i + 1`, or by the ranges of loop
    /// variables, as `i` and `j` in `for j in i + 1..n`.
    pub fn visibly_different(&self, a: &Expr, b: &Expr) -> bool {
        if let (Some(a), Some(b)) = (components(a), components(b)) {
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
        if let (Some(a), Some(b)) = (components(a), components(b)) {
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

    /// The elements that an index means in each turn of a loop, if they can be seen to stay among those of some turn: of this one for
    /// `d * k + i`, with `i` from 0 to below `d`, for `d * k..d * (k + 1)` and for `k`, of the next one for `d * (k + 1) + i`
    /// and for `k + 1`. What is counted with has to be the same in all turns.
    pub fn block_of_turn(&self, index: &Expr, turn: VarId) -> Option<BlockOfTurn> {
        let (start, end) = ends(index);
        let (start, end) = (start?, end?);
        let factor = |(e, n): &(Expr, i128)| match &e.kind {
            ExprKind::Var(var) if *var == turn => Some(Some(number(*n))),
            ExprKind::Binary(BinaryOp::Mul, a, b) if a.kind == ExprKind::Var(turn) => Some(Linear::of(b).scaled(*n)),
            ExprKind::Binary(BinaryOp::Mul, a, b) if b.kind == ExprKind::Var(turn) => Some(Linear::of(a).scaled(*n)),
            _ => None,
        };
        let size = start.terms.iter().filter_map(factor).reduce(|a, b| a?.plus(b?))??;
        let turns = Linear { terms: vec![(Expr::var(turn, index.span), 1)], constant: 0 };
        let first = size.times(&turns)?;
        let (from, to) = (start.minus(first.clone())?, end.minus(first)?);
        let within = |ahead: &i128| {
            let before = |blocks: i128| size.clone().scaled(blocks);
            let starts = before(*ahead).and_then(|first| from.clone().minus(first));
            let ends = before(*ahead + 1).and_then(|next| next.minus(to.clone()));
            self.at_least(starts, 0) && self.at_least(ends, 0)
        };
        let ahead = [0, 1, -1, 2, -2, 3, -3, 4, -4].into_iter().find(within)?;
        Some(BlockOfTurn { size, ahead })
    }

    /// How far an index is ahead of the number of the turn, if it grows with it one by one: `w - 1` for `k + w - 1`.
    pub fn ahead_of_turn(&self, index: &Expr, turn: VarId) -> Option<Linear> {
        let turns = Linear { terms: vec![(Expr::var(turn, index.span), 1)], constant: 0 };
        let ahead = Linear::of(index).minus(turns)?;
        let grows = !ahead.terms().any(|term| term.mentions(turn));
        (grows && !may_be_range(self.vars, index)).then_some(ahead)
    }

    /// By how much an index grows from one number of a turn to the next, unless it stays, and how far another one is from it in the
    /// same turn, if both are visibly numbers that stay the same.
    pub fn distance(&self, index: &Expr, other: &Expr, turn: VarId) -> Option<(i128, i128)> {
        if may_be_range(self.vars, index) || may_be_range(self.vars, other) {
            return None;
        }
        let known = Linear::of(index);
        let distance = Linear::of(other).minus(known.clone())?;
        let mentions = |(e, _): &&(Expr, i128)| e.mentions(turn);
        let mut growing = known.terms.iter().filter(mentions);
        let growth = growing.next().filter(|(e, _)| e.kind == ExprKind::Var(turn)).map(|(_, factor)| *factor)?;
        (growing.next().is_none() && distance.terms.is_empty()).then_some((growth, distance.constant))
    }

    /// Whether a sum is at least `least`, by what is known about loop variables. Inner loops come first: their
    /// bounds speak of the outer ones.
    fn at_least(&self, mut known: Option<Linear>, least: i128) -> bool {
        for _ in 0..8 {
            let Some(mut sum) = known else { return false };
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
                Some(Linear::of(start))
            } else {
                Linear::of(end).plus(number(if *inclusive { 0 } else { -1 }))
            };
            known = extreme.and_then(|extreme| sum.plus(extreme.scaled(factor)?));
        }
        false
    }
}

/// The components of an index into several dimensions: `(i, j)` or `[i, j]`.
pub fn components(e: &Expr) -> Option<&[Expr]> {
    match &e.kind {
        ExprKind::Tuple(all) | ExprKind::Array(all) => Some(all),
        _ => None,
    }
}

/// Whether an index may be a range, so that it means a slice and not an element.
pub fn may_be_range(vars: &[Var], e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Range { .. } => true,
        ExprKind::Var(var) => vars[var.0].range,
        ExprKind::Ref(inner) | ExprKind::Unary(UnaryOp::Deref, inner) => may_be_range(vars, inner),
        // What a call returns is not known; a copy is what it is a copy of.
        ExprKind::Method { receiver, method, .. } if method.known == Some(Known::Form) => match &receiver.kind {
            ExprKind::Var(var) => vars[var.0].range,
            _ => true,
        },
        ExprKind::Call { .. } => true,
        _ => false,
    }
}

/// The first index, and the one behind the last; `None` if there is no end, or none that could be counted to.
fn ends(e: &Expr) -> (Option<Linear>, Option<Linear>) {
    match &e.kind {
        ExprKind::Range { start, end, inclusive } => {
            let start = start.as_deref().map(Linear::of);
            let end = end.as_deref().and_then(|e| Linear::of(e).plus(number(i128::from(*inclusive))));
            (start, end)
        }
        _ => (Some(Linear::of(e)), Linear::of(e).plus(number(1))),
    }
}

fn number(constant: i128) -> Linear {
    Linear { terms: Vec::new(), constant }
}
