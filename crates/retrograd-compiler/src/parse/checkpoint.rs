//! `#[checkpoint]`: loops of which a few states are kept, and whose iterations are run again on the way back.

use super::Parser;
use crate::ir::{
    Adapter, BinaryOp, Block, Budget, Exit, ExitKind, Expr, ExprKind, Iter, Kind, Recompute, Records, Schedule, Source,
    Stmt,
};
use crate::span::Span;

impl Parser<'_> {
    /// The statement that `#[checkpoint(..)]` stands in front of, which `inner` reads.
    pub(super) fn checkpoint(
        &mut self,
        attribute: &syn::Attribute,
        span: Span,
        read: &mut Vec<Stmt>,
        inner: impl FnOnce(&mut Self, &mut Vec<Stmt>),
    ) {
        let budget = attribute.parse_args::<syn::MetaNameValue>();
        let budget = budget.ok().filter(|budget| budget.path.is_ident("snapshots") || budget.path.is_ident("bytes"));
        let Some(budget) = budget else {
            let message = "`#[checkpoint]` says how much of the loop may be kept: `#[checkpoint(snapshots = 10)]`, so many states, or \
                           `#[checkpoint(bytes = 1 << 20)]`, as many as fit";
            return self.error(Span::of(attribute), message);
        };
        if self.kind == Kind::Procedure {
            let message = "`#[checkpoint]` goes on a loop of a function: a procedure is undone by its inverse, or by a record that its \
                           caller has; `schedule::adjoint` runs many steps of a procedure under a schedule";
            return self.error(Span::of(attribute), message);
        }
        // Whatever the body loses is kept, one iteration at a time.
        let outside = self.records;
        self.records = outside.max(Records::Lossy);
        self.recorded = self.recorded.max(Records::Lossy);
        let mut one = Vec::new();
        inner(self, &mut one);
        self.records = outside;
        self.marked.extend(one.iter().map(Stmt::span));
        let [Stmt::For(s)] = one.as_slice() else {
            return self.error(span, NOT_COUNTED);
        };
        if s.number.is_some_and(|number| is_left(&s.body, number)) {
            return self.error(span, NOT_COUNTED);
        }
        let Some(count) = length(&s.iter) else {
            let message = "how often this loop iterates cannot be seen in its head; write the range there, or the slice with `.iter()`";
            return self.error(s.iter.span, message);
        };
        if s.unroll.is_some() {
            return self
                .error(span, "a loop with `#[checkpoint]` runs in parts, and cannot be unrolled; drop `#[unroll]`");
        }
        let bytes = budget.path.is_ident("bytes");
        let Some(limit) = self.expr(&budget.value) else { return };
        let budget = if bytes { Budget::Bytes(limit) } else { Budget::Snapshots(limit) };
        let schedule = Some(Schedule { count, budget, plan: None });
        let body = Block { stmts: one, span };
        read.push(Stmt::Recompute(Recompute { body, kept: Vec::new(), schedule, span }));
    }
}

const NOT_COUNTED: &str = "`#[checkpoint]` goes on a `for` loop that runs to its end: how many iterations there are has to be known before \
                           the first; `#[record]` keeps what any other loop loses";

/// Whether a loop is left before its end.
fn is_left(body: &Block, number: usize) -> bool {
    body.stmts.iter().any(|stmt| match stmt {
        Stmt::Exit(Exit { kind: ExitKind::Break(named), .. }) => *named <= number,
        Stmt::Exit(Exit { kind: ExitKind::Continue(named), .. }) => *named < number,
        Stmt::Exit(Exit { kind: ExitKind::Return(_), .. }) => true,
        _ => stmt.blocks().into_iter().any(|block| is_left(block, number)),
    })
}

/// How many iterations a loop makes, as far as its head says so.
fn length(iter: &Iter) -> Option<Expr> {
    let span = iter.span;
    let divided = |a, b: &Expr| Expr::new(ExprKind::Binary(BinaryOp::Div, Box::new(a), Box::new(b.clone())), span);
    let len = |e: Expr| Expr::method(e, "len", Vec::new());
    let source = match &iter.source {
        Source::Range { start, end, inclusive } => {
            let (start, end) = (Some(Box::new(start.clone())), Some(Box::new(end.clone())));
            let range = Expr::new(ExprKind::Range { start, end, inclusive: *inclusive }, span);
            Expr::method(range, "count", Vec::new())
        }
        Source::Value(_) => return None,
        Source::Elements(e) => len(e.clone()),
        Source::ElementsMut(place) => len(place.to_expr()),
        Source::Chunks(e, size) => divided(len(e.clone()), size),
        Source::ChunksMut(place, size) => divided(len(place.to_expr()), size),
    };
    iter.adapters.iter().try_fold(source, |count, adapter| match adapter {
        Adapter::Rev | Adapter::Enumerate | Adapter::Copied(_) => Some(count),
        Adapter::StepBy(step) => Some(Expr::method(count, "div_ceil", vec![step.clone()])),
        Adapter::Zip(other) => Some(Expr::method(count, "min", vec![length(other)?])),
        Adapter::Skip(_) => None,
    })
}
