//! Values that a `let`, the value of a function or a call of a procedure moves.
//!
//! The function itself moves them, as it is written. A companion may need a local again after it was moved, because it runs
//! backwards or reads the shape of the local: it moves a clone. Dead code may not name what is moved at all.

use std::rc::Rc;

use super::body::Emitter;
use crate::ir::{Binding, BindingKind, DUPLICATE, Expr, ExprKind, Mode, Path, Place, Projection, VarId, VarKind};

impl Emitter<'_> {
    /// The value of a local, with clones for what a companion may not move.
    pub(super) fn kept(&self, s: &Binding) -> Expr {
        if s.kind == BindingKind::View { s.value.clone() } else { self.not_moved(&s.value) }
    }

    /// A value with clones for what a companion may not move.
    pub(super) fn not_moved(&self, e: &Expr) -> Expr {
        if self.forward {
            return e.clone();
        }
        e.with_moved(&|e| self.is_moved(e).then(|| Expr::method(e.clone(), DUPLICATE, Vec::new())))
    }

    /// The same expression without what it moves, for dead code. What it binds itself is there in dead code too.
    pub(super) fn without_moves(&self, e: &Expr) -> Expr {
        let never = |e: &Expr| call(Path::of_runtime("never", e.span.first), Vec::new(), e);
        let own = bound_in(e);
        let is_own = |e: &Expr| e.as_place().is_some_and(|place| own.contains(&place.root));
        e.with_moved(&|e| (self.is_moved(e) && !is_own(e)).then(|| never(e)))
    }

    /// Whether an expression is made of nothing but places, and so is pure.
    pub(super) fn names_places(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Tuple(_) | ExprKind::Array(_) | ExprKind::Struct { .. } => {
                e.children().into_iter().all(|e| self.names_places(e))
            }
            _ => e.as_place().is_some_and(|place| place.indices().next().is_none()),
        }
    }

    /// The expression by its parts, without those that it moves; in one piece if it moves none.
    pub(super) fn unmoved<'e>(&self, e: &'e Expr) -> Vec<&'e Expr> {
        match &e.kind {
            _ if self.without_moves(e) == *e => vec![e],
            ExprKind::Tuple(_) | ExprKind::Array(_) | ExprKind::Struct { .. } => {
                e.children().into_iter().flat_map(|e| self.unmoved(e)).collect()
            }
            _ if self.is_moved(e) => Vec::new(),
            _ => vec![e],
        }
    }

    /// Whether an expression is a local or a field of one, and not visibly `Copy`.
    fn is_moved(&self, e: &Expr) -> bool {
        let Some(Place { root, path, .. }) = e.as_place() else { return false };
        let var = &self.context.vars[root.0];
        let owned = matches!(var.kind, VarKind::Ancilla | VarKind::Let | VarKind::Bound | VarKind::Param(Mode::Value));
        let copied = path.is_empty() && var.ty.as_ref().is_some_and(|ty| self.program.numbers.is_copied(ty));
        owned && !copied && path.iter().all(|step| matches!(step, Projection::Field(_)))
    }
}

/// The variables that an expression binds.
fn bound_in(e: &Expr) -> Vec<VarId> {
    let mut bound = Vec::new();
    e.walk(&mut |e| match &e.kind {
        ExprKind::Match { arms, .. } => bound.extend(arms.iter().flat_map(|arm| arm.pattern.bindings())),
        ExprKind::Let(pattern, _) => bound.extend(pattern.bindings()),
        ExprKind::Block { lets, .. } => bound.extend(lets.iter().flat_map(|(pattern, _, _)| pattern.bindings())),
        ExprKind::Closure { params, .. } => bound.extend(params.iter().flat_map(|(pattern, _)| pattern.bindings())),
        _ => {}
    });
    bound
}

fn call(callee: Path, args: Vec<Expr>, e: &Expr) -> Expr {
    let callee = Rc::new(Expr::new(ExprKind::Path(callee), e.span));
    Expr::new(ExprKind::Call { callee, args }, e.span)
}
