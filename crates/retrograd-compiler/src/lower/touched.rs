//! What every iteration of a loop touches, whatever happens in it.

use crate::ir::{ArgKind, BinaryOp, BindingKind, Block, Expr, ExprKind, Place, Rule, Stmt};

/// Whether a block has no loops, and no statements that leave it or that somebody sees.
pub(super) fn is_simple(block: &Block) -> bool {
    block.stmts.iter().all(|stmt| match stmt {
        Stmt::Update(_)
        | Stmt::Flip(_)
        | Stmt::Map(_)
        | Stmt::Swap(_)
        | Stmt::Permute(_)
        | Stmt::Call(_)
        | Stmt::Begin(_)
        | Stmt::End(_)
        | Stmt::If(_)
        | Stmt::Match(_)
        | Stmt::Assign(_)
        | Stmt::Block(_)
        | Stmt::Unchecked(_)
        | Stmt::Keep(_)
        | Stmt::Restore(_)
        | Stmt::Check(_) => stmt.blocks().into_iter().all(is_simple),
        Stmt::For(_)
        | Stmt::While(_)
        | Stmt::Loop(_)
        | Stmt::Recompute(_)
        | Stmt::Conjugate(_)
        | Stmt::Inverse(_)
        | Stmt::Host(_)
        | Stmt::Exit(_)
        | Stmt::Give(_)
        | Stmt::Compute(_)
        | Stmt::Uncompute(_) => false,
    })
}

/// Visits the places that a block touches whatever happens in it.
pub(super) fn always(block: &Block, visit: &mut dyn FnMut(Place)) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Update(s) => {
                always_read(&s.target.to_expr(), visit);
                always_read(&s.operand, visit);
            }
            Stmt::Assign(s) => {
                always_read(&s.target.to_expr(), visit);
                always_read(&s.value, visit);
            }
            Stmt::Flip(s) => always_read(&s.target.to_expr(), visit),
            Stmt::Map(s) => always_read(&s.target.to_expr(), visit),
            Stmt::Swap(s) => [&s.a, &s.b].into_iter().for_each(|place| always_read(&place.to_expr(), visit)),
            Stmt::Begin(b) if b.kind != BindingKind::View => always_read(&b.value, visit),
            Stmt::Block(inner) => always(inner, visit),
            Stmt::Call(s) => s.args.iter().for_each(|arg| match &arg.kind {
                ArgKind::Change(place) | ArgKind::Borrow(place) => always_read(&place.to_expr(), visit),
                ArgKind::Value(e) => always_read(e, visit),
                ArgKind::Host(_) => {}
            }),
            // What is kept, and what begins or ends, may leave no trace; what is checked is looked at in some builds.
            Stmt::Begin(_)
            | Stmt::End(_)
            | Stmt::Keep(_)
            | Stmt::Restore(_)
            | Stmt::Check(_)
            | Stmt::Permute(_)
            | Stmt::If(_)
            | Stmt::Match(_)
            | Stmt::For(_)
            | Stmt::While(_)
            | Stmt::Loop(_)
            | Stmt::Recompute(_)
            | Stmt::Conjugate(_)
            | Stmt::Unchecked(_)
            | Stmt::Inverse(_)
            | Stmt::Host(_)
            | Stmt::Exit(_)
            | Stmt::Give(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_) => {}
        }
    }
}

/// The same, of an expression.
fn always_read(e: &Expr, visit: &mut dyn FnMut(Place)) {
    e.as_place().into_iter().for_each(&mut *visit);
    match &e.kind {
        ExprKind::If { condition: first, .. }
        | ExprKind::Match { scrutinee: first, .. }
        | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _) => always_read(first, visit),
        // Closures may not run, and what macros do with their arguments is not known.
        ExprKind::Closure { .. } | ExprKind::Macro { .. } | ExprKind::Rule(Rule::Bend, _) => {}
        _ => e.each_child(&mut |child| always_read(child, visit)),
    }
}
