//! Loops over all numbers of a range.

use std::rc::Rc;

use crate::ir::{Adapter, BinaryOp, Block, Condition, Expr, ExprKind, For, If, Source, Stmt, VarId};

/// A loop over all numbers of a range, upwards or downwards.
pub(crate) struct Ranged<'s> {
    /// What counts.
    pub(crate) turn: VarId,
    pub(crate) falling: bool,
    pub(crate) start: &'s Expr,
    pub(crate) end: &'s Expr,
    pub(crate) inclusive: bool,
}

/// Whether a loop goes through all of its range, and is not written out.
pub(crate) fn is_whole(s: &For) -> bool {
    let leaves = s.body.any(&|stmt| matches!(stmt, Stmt::Exit(_)));
    s.early.is_none() && s.part.is_none() && s.unroll.is_none() && !leaves
}

impl Ranged<'_> {
    /// The loop as one, if it goes through all of a range and is not written out.
    pub(crate) fn of(s: &For) -> Option<Ranged<'_>> {
        let (Source::Range { start, end, inclusive }, true) = (&s.iter.source, is_whole(s)) else { return None };
        let falling = match s.iter.adapters.as_slice() {
            [] => false,
            [Adapter::Rev] => true,
            _ => return None,
        };
        Some(Ranged { turn: s.pattern.as_var()?, falling, start, end, inclusive: *inclusive })
    }

    /// Whether another loop goes through the same numbers in the same order.
    pub(crate) fn goes_like(&self, other: &Ranged<'_>) -> bool {
        let head = |turns: &Ranged<'_>| (turns.falling, turns.inclusive);
        self.start == other.start && self.end == other.end && head(self) == head(other)
    }

    /// Whether the number of iterations is known when the program is compiled: then LLVM writes the loop out.
    pub(crate) fn is_constant(&self) -> bool {
        let known = |e: &Expr| matches!(e.kind, ExprKind::Lit(_) | ExprKind::Path(_));
        known(self.start) && known(self.end)
    }

    /// A block that runs exactly when there is an iteration.
    pub(crate) fn if_any(&self, then: Block) -> Stmt {
        let span = then.span;
        match self.any() {
            Some(pre) => Stmt::If(If { condition: Condition { pre, post: None }, then, otherwise: None, span }),
            None => Stmt::Block(then),
        }
    }

    /// What says whether there is an iteration; there is one up to any number from 0.
    fn any(&self) -> Option<Expr> {
        let op = match self.inclusive {
            true if matches!(&self.start.kind, ExprKind::Lit(literal) if literal.is_integer(0)) => return None,
            true => BinaryOp::Le,
            false => BinaryOp::Lt,
        };
        let kind = ExprKind::Binary(op, Rc::new(self.start.clone()), Rc::new(self.end.clone()));
        Some(Expr::new(kind, self.start.span))
    }
}
