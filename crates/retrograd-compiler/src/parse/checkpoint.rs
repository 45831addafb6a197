//! `#[checkpoint]`: loops of which a few states are kept, and whose iterations are run again on the way back.

use std::rc::Rc;

use super::Parser;
use crate::ir::{
    Adapter, BinaryOp, Block, Budget, Expr, ExprKind, Iter, Kind, Recompute, Records, Rule, Schedule, Scheduled,
    Source, Stmt,
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
        let length = match one.as_slice() {
            [Stmt::For(s)] if s.unroll.is_some() => {
                return self.error(
                    span,
                    "a loop with `#[checkpoint]` runs in parts, and cannot be unrolled; drop `#[unroll]`",
                );
            }
            [Stmt::For(s)] => length(&s.iter),
            [Stmt::Loop(_)] => None,
            [Stmt::While(_)] => {
                let message = "a loop with a postcondition is undone by it, and needs no states; drop `#[checkpoint]`, or the postcondition";
                return self.error(span, message);
            }
            _ => {
                let message = "`#[checkpoint]` goes on a loop, of which it keeps states: `for`, `while c` or `loop`; `#[recompute]` runs any \
                               other statement again";
                return self.error(span, message);
            }
        };
        let bytes = budget.path.is_ident("bytes");
        let Some(limit) = self.expr(&budget.value) else { return };
        let budget = if bytes { Budget::Bytes(limit) } else { Budget::Snapshots(limit) };
        let schedule = Some(Box::new(Schedule { length, budget, planned: None }));
        let body = Block { stmts: one, span };
        read.push(Stmt::Recompute(Recompute { body, kept: Vec::new(), schedule, span }));
    }
}

/// How many iterations a loop makes, if it runs to its end, as its head says.
fn length(iter: &Iter) -> Option<Expr> {
    let span = iter.span;
    let divided = |a, b: &Expr| Expr::binary(BinaryOp::Div, a, b.clone());
    let len = |e: Expr| Expr::method(e, "len", Vec::new());
    let source = match &iter.source {
        Source::Range { start, end, inclusive } => {
            let (start, end) = (Some(Rc::new(start.clone())), Some(Rc::new(end.clone())));
            let range = Expr::new(ExprKind::Range { start, end, inclusive: *inclusive }, span);
            Expr::method(range, "count", Vec::new())
        }
        Source::Value(e) => Expr::rule(Rule::Schedule(Scheduled::Length), vec![e.clone()], span),
        Source::Elements(e) => len(e.clone()),
        Source::ElementsMut(place) => len(place.to_expr()),
        Source::Chunks(e, size) => divided(len(e.clone()), size),
        Source::ChunksMut(place, size) => divided(len(place.to_expr()), size),
        Source::Windows(e, size) => Expr::count_of_windows(e, size, span),
    };
    iter.adapters.iter().try_fold(source, |count, adapter| match adapter {
        Adapter::Rev | Adapter::Enumerate | Adapter::Copied(_) => Some(count),
        Adapter::StepBy(step) => Some(Expr::method(count, "div_ceil", vec![step.clone()])),
        Adapter::Zip(other) => Some(Expr::method(count, "min", vec![length(other)?])),
        Adapter::Skip(skipped) => Some(Expr::method(count, "saturating_sub", vec![skipped.clone()])),
    })
}
