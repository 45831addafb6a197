//! Sums over iterators inside an expression, `x.iter().map(|v| v * v).sum()`, and what iterators give in a `Vec`. Their derivative is a
//! loop over the same elements.

use std::rc::Rc;

use proc_macro2::Ident;

use super::Shadows;
use crate::ir::{
    Adapter, Block, Expr, ExprKind, For, Iter, Iteration, Known, Method, Path, Pattern, PatternKind, Source, Stmt,
    Syntax, VarId, VarKind,
};
use crate::span::Span;

/// A sum, term by term.
#[derive(Clone)]
pub(super) struct Sum {
    iter: Iter,
    pattern: Pattern,
    /// What is added in each iteration.
    pub(super) term: Expr,
    span: Span,
}

/// What an iterator gives, one after the other.
#[derive(Clone)]
pub(super) struct Collected {
    pub(super) terms: Sum,
    place: VarId,
}

impl Collected {
    /// The place in the `Vec` whose turn it is.
    pub(super) fn place(&self) -> Expr {
        Expr::var(self.place, self.terms.span)
    }
}

impl Shadows<'_> {
    /// The sum that an expression is.
    pub(super) fn sum(&mut self, e: &Expr) -> Option<Sum> {
        self.terms(e, Known::Sum)
    }

    /// The `Vec` that an expression makes of an iterator.
    pub(super) fn collected(&mut self, e: &Expr) -> Option<Collected> {
        let Sum { mut iter, pattern, term, span } = self.terms(e, Known::Collect)?;
        let name = format!("place_{}", self.vars.len());
        let place = self.declare(&name, VarKind::Register, span);
        iter.adapters.push(Adapter::Enumerate);
        let pattern = Pattern { kind: PatternKind::Tuple(vec![Pattern::bind(place, span), pattern]), span };
        Some(Collected { terms: Sum { iter, pattern, term, span }, place })
    }

    /// `x.iter().product()` is `product(&x)`, and that of any other iterator the product of what it gives.
    pub(super) fn product(&self, e: &Expr) -> Option<Expr> {
        let ExprKind::Method { receiver, method, .. } = &e.kind else { return None };
        if method.known != Some(Known::Product) || !receiver.is_iterator() || !self.active(e) {
            return None;
        }
        let at = |kind| Expr::new(kind, e.span);
        let slice = match elements(receiver) {
            Some(slice) if matches!(slice.kind, ExprKind::Var(var) if self.is_reference(var)) => slice.clone(),
            Some(slice) => at(ExprKind::Ref(slice.clone().into())),
            None => at(ExprKind::Ref(in_a_vector(receiver.clone(), e.span).into())),
        };
        let callee = at(ExprKind::Path(Path::of_runtime("product", e.span.first))).into();
        Some(at(ExprKind::Call { callee, args: vec![slice] }))
    }

    /// What is collected, and does not say into what, is a `Vec`: of nothing else a derivative is known.
    pub(super) fn in_a_vector(&self, e: &Expr) -> Option<Expr> {
        let ExprKind::Method { receiver, method, turbofish: None, .. } = &e.kind else { return None };
        (method.known == Some(Known::Collect) && receiver.is_iterator() && self.active(e))
            .then(|| in_a_vector(receiver.clone(), e.span))
    }

    /// What a method at the end of an iterator gets, term by term.
    fn terms(&mut self, e: &Expr, last: Known) -> Option<Sum> {
        let ExprKind::Method { receiver, method, .. } = &e.kind else { return None };
        if method.known != Some(last) {
            return None;
        }
        let span = e.span;
        if let ExprKind::Method { receiver, method, args, .. } = &receiver.kind
            && method.known == Some(Known::Iteration(Iteration::Map))
            && let [Expr { kind: ExprKind::Closure { params, body }, .. }] = args.as_slice()
            && let [(pattern, _)] = params.as_slice()
        {
            let iter = iterator(receiver)?;
            return Some(Sum { iter, pattern: pattern.clone(), term: (**body).clone(), span });
        }
        let iter = iterator(receiver)?;
        let name = format!("term_{}", self.vars.len());
        let term = self.declare(&name, VarKind::Register, span);
        self.vars[term.0].activity = crate::ir::Activity::Active;
        Some(Sum { iter, pattern: Pattern::bind(term, span), term: Expr::var(term, span), span })
    }

    /// The method by which an expression takes an iterator apart in another way: the first that has no rule.
    pub(super) fn other_reduction(&self, e: &Expr) -> Option<Ident> {
        let ExprKind::Method { receiver, method, .. } = &e.kind else { return None };
        if !receiver.is_iterator() {
            return None;
        }
        let known = |e: &Expr| match &e.kind {
            ExprKind::Method { receiver, method, .. } if method.known == Some(Known::Iteration(Iteration::Map)) => {
                iterator(receiver).is_some()
            }
            _ => iterator(e).is_some(),
        };
        let mut unknown = method;
        let mut rest = &**receiver;
        while !known(rest)
            && let ExprKind::Method { receiver, method, .. } = &rest.kind
        {
            (unknown, rest) = (method, receiver);
        }
        Some(unknown.name.clone())
    }

    /// The loop over the terms, with `body` made for each.
    pub(super) fn over_terms(&mut self, sum: &Sum, body: impl FnOnce(&mut Self) -> Vec<Stmt>) -> Vec<Stmt> {
        let span = sum.span;
        let empty = || Block { stmts: Vec::new(), span };
        let plain = For::new(sum.pattern.clone(), sum.iter.clone(), empty(), span);
        match self.indexed(&plain) {
            None => {
                for var in sum.pattern.bindings() {
                    self.vars[var.0].activity = crate::ir::Activity::Inactive;
                }
                let stmts = body(self);
                vec![Stmt::For(For { body: Block { stmts, span }, ..plain })]
            }
            Some(indexed) => {
                let mut stmts: Vec<Stmt> = indexed.names;
                stmts.extend(body(self));
                let (pattern, iter) = (indexed.pattern, indexed.iter);
                let turns = Stmt::For(For::new(pattern, iter, Block { stmts, span }, span));
                let all = indexed.before.into_iter().chain([turns]).collect();
                vec![Stmt::Block(Block { stmts: all, span })]
            }
        }
    }
}

/// `receiver.collect::<Vec<_>>()`
fn in_a_vector(receiver: Rc<Expr>, span: Span) -> Expr {
    let turbofish = Some(vec![Syntax::of(&quote::quote!(::retrograd::private::Vec<_>))]);
    let method = Method::new(Ident::new("collect", span.first), 0);
    Expr::new(ExprKind::Method { receiver, method, turbofish, args: Vec::new() }, span)
}

/// The slice whose elements an iterator gives, one after the other.
fn elements(e: &Expr) -> Option<&Expr> {
    let ExprKind::Method { receiver, method: Method { known: Some(Known::Iteration(step)), .. }, .. } = &e.kind else {
        return None;
    };
    match step {
        Iteration::Iter => Some(receiver),
        Iteration::Copied | Iteration::Cloned => elements(receiver),
        _ => None,
    }
}

/// What the derivative of a reduction of this iterator goes through.
pub(crate) fn gone_through(e: &Expr) -> Option<Iter> {
    if let ExprKind::Method { receiver, method, .. } = &e.kind
        && method.known == Some(Known::Iteration(Iteration::Map))
    {
        return gone_through(receiver);
    }
    iterator(e)
}

/// What an expression goes through, if it is an iterator that loops know.
fn iterator(e: &Expr) -> Option<Iter> {
    let plain = |source| Some(Iter { source, adapters: Vec::new(), span: e.span });
    let with = |receiver: &Expr, adapter| {
        let mut iter = iterator(receiver)?;
        iter.adapters.push(adapter);
        Some(iter)
    };
    match &e.kind {
        ExprKind::Range { start: Some(start), end: Some(end), inclusive } => {
            plain(Source::Range { start: (**start).clone(), end: (**end).clone(), inclusive: *inclusive })
        }
        ExprKind::Ref(inner) => plain(Source::Elements((**inner).clone())),
        ExprKind::Var(_) | ExprKind::Field(..) => plain(Source::Value(e.clone())),
        ExprKind::Method { receiver, method: Method { known: Some(Known::Iteration(step)), .. }, args, .. } => {
            match (step, args.as_slice()) {
                (Iteration::Iter, []) => plain(Source::Elements((**receiver).clone())),
                (Iteration::ChunksExact, [size]) => plain(Source::Chunks((**receiver).clone(), size.clone())),
                (Iteration::Windows, [size]) => plain(Source::Windows((**receiver).clone(), size.clone())),
                (Iteration::Copied | Iteration::Cloned, []) => with(receiver, Adapter::Copied(*step)),
                (Iteration::Rev, []) => with(receiver, Adapter::Rev),
                (Iteration::Enumerate, []) => with(receiver, Adapter::Enumerate),
                (Iteration::StepBy, [step]) => with(receiver, Adapter::StepBy(step.clone())),
                (Iteration::Zip, [other]) => with(receiver, Adapter::Zip(Box::new(iterator(other)?))),
                _ => None,
            }
        }
        _ => None,
    }
}
