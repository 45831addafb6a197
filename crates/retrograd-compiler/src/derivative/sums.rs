//! Sums over iterators inside an expression: `x.iter().map(|v| v * v).sum()`. Their derivative is a loop over the same elements.

use super::Shadows;
use crate::ir::{Adapter, Block, Expr, ExprKind, For, Iter, Iteration, Known, Method, Pattern, Source, Stmt, VarKind};
use crate::span::Span;

/// A sum, term by term.
#[derive(Clone)]
pub(super) struct Sum {
    iter: Iter,
    pattern: Pattern,
    /// What is added in each turn.
    pub(super) term: Expr,
    span: Span,
}

impl Shadows<'_> {
    /// The sum that an expression is.
    pub(super) fn sum(&mut self, e: &Expr) -> Option<Sum> {
        let ExprKind::Method { receiver, method, .. } = &e.kind else { return None };
        if method.known != Some(Known::Sum) {
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

    /// Whether an expression takes an iterator apart in another way.
    pub(super) fn other_reduction(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Method { receiver, .. } if receiver.is_iterator())
    }

    /// The loop over the terms, with `body` made for each.
    pub(super) fn over_terms(&mut self, sum: &Sum, body: impl FnOnce(&mut Self) -> Vec<Stmt>) -> Vec<Stmt> {
        let span = sum.span;
        let empty = || Block { stmts: Vec::new(), span };
        let plain = For { pattern: sum.pattern.clone(), iter: sum.iter.clone(), body: empty(), unroll: None, span };
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
                let turns = Stmt::For(For { pattern, iter, body: Block { stmts, span }, unroll: None, span });
                let all = indexed.before.into_iter().chain([turns]).collect();
                vec![Stmt::Block(Block { stmts: all, span })]
            }
        }
    }
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
