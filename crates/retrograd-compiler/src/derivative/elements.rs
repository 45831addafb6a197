//! Arrays that are made element by element, `array::from_fn(|i| x[i] - y[i])`. Their derivative is a loop over the elements.

use super::Shadows;
use crate::ir::{Block, Expr, ExprKind, For, Iter, Path, Pattern, Source, Stmt, VarId, VarKind};
use crate::span::Span;

/// An array by its elements.
#[derive(Clone)]
pub(super) struct Elements {
    turn: VarId,
    /// What stands in each place.
    pub(super) element: Expr,
    span: Span,
}

impl Shadows<'_> {
    /// The array that an expression makes.
    pub(super) fn elements(&mut self, e: &Expr) -> Option<Elements> {
        let (_, pattern, body) = made_by_elements(e)?;
        let span = e.span;
        let turn = match pattern.as_var() {
            Some(turn) => turn,
            None => self.declare("element", VarKind::Register, span),
        };
        Some(Elements { turn, element: body.clone(), span })
    }
}

/// `array::from_fn(|pattern| body)`: the path to the function, the pattern and the body.
pub(crate) fn made_by_elements(e: &Expr) -> Option<(&Path, &Pattern, &Expr)> {
    let ExprKind::Call { callee, args } = &e.kind else { return None };
    let (ExprKind::Path(path), [Expr { kind: ExprKind::Closure { params, body }, .. }]) = (&callee.kind, &args[..])
    else {
        return None;
    };
    let mut names = path.segments.iter().rev().map(|segment| &segment.name);
    let [(pattern, _)] = params.as_slice() else { return None };
    (names.next()? == "from_fn" && names.next()? == "array").then_some((path, pattern, body))
}

impl Elements {
    /// The loop over the places of an array, in which `body` stands for each.
    pub(super) fn over(&self, array: &Expr, body: Vec<Stmt>) -> Stmt {
        let span = self.span;
        let start = Expr::integer(0, span);
        let end = Expr::method(array.clone(), "len", Vec::new());
        let iter = Iter { source: Source::Range { start, end, inclusive: false }, adapters: Vec::new(), span };
        Stmt::For(For::new(Pattern::bind(self.turn, span), iter, Block { stmts: body, span }, span))
    }

    /// The place in an array whose turn it is.
    pub(super) fn place(&self) -> Expr {
        Expr::var(self.turn, self.span)
    }
}
