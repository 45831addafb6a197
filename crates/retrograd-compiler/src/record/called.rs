//! What expressions call, and what of them is evaluated whatever happens.

use std::rc::Rc;

use crate::analysis::activity::active;
use crate::ir::{BinaryOp, Callee, Expr, ExprKind, MacroArgs, Var};
use crate::signature::numbers::{Numbers, is_inactive};

/// The function that an expression calls, if a derivative flows through the call, and what it is given.
pub(super) fn program_called(vars: &[Var], numbers: &Numbers, e: &Expr) -> Option<(Callee, Vec<Expr>)> {
    let (callee, args) = match &e.kind {
        ExprKind::Call { callee, args } => {
            let ExprKind::Path(path) = &callee.kind else { return None };
            let value = ["Some", "Ok", "Err"].iter().any(|name| path.last() == name);
            if value || path.is_constructor() || path.of_the_prelude().is_some() || numbers.owns(path) {
                return None;
            }
            let callee = match path.is_associated() {
                true => Callee::Associated(path.clone()),
                false => Callee::Path(path.clone()),
            };
            (callee, args.clone())
        }
        // What is asked of an iterator calls no program.
        ExprKind::Method { receiver, method, turbofish, args } if method.known.is_none() && !receiver.is_iterator() => {
            let callee = Callee::Method { name: method.name.clone(), turbofish: turbofish.clone() };
            (callee, std::iter::once(&**receiver).chain(args).cloned().collect())
        }
        _ => return None,
    };
    // No program takes a closure: `array::from_fn(|i| ..)` is an expression.
    let closure = args.iter().any(|arg| matches!(arg.kind, ExprKind::Closure { .. }));
    (!closure && args.iter().any(|arg| active(vars, arg))).then_some((callee, args))
}

/// The expression with its parts replaced that are evaluated whatever it is. Where no derivative flows, a method may be any.
pub(super) fn with_parts(e: &Expr, with: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
    let has_methods = |part: &Expr| {
        let mut found = false;
        part.walk(&mut |e| found |= matches!(&e.kind, ExprKind::Method { method, .. } if method.known.is_none()));
        found
    };
    match &e.kind {
        _ if !is_eager(e) => e.clone(),
        ExprKind::Index(base, index) if has_methods(index) => {
            Expr::new(ExprKind::Index(Rc::new(with(base)), index.clone()), e.span)
        }
        ExprKind::Binary(op, ..) if op.compares() && has_methods(e) => e.clone(),
        ExprKind::Cast(_, ty) if is_inactive(ty) && has_methods(e) => e.clone(),
        _ => e.map_children(with),
    }
}

/// Whether an expression evaluates everything that is directly inside it, whatever that is.
fn is_eager(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Unary(..)
        | ExprKind::Cast(..)
        | ExprKind::Field(..)
        | ExprKind::Index(..)
        | ExprKind::Ref(_)
        | ExprKind::Tuple(_)
        | ExprKind::Array(_)
        | ExprKind::Struct { .. }
        | ExprKind::Call { .. }
        | ExprKind::Macro { args: MacroArgs::List(_) | MacroArgs::Repeat(..), .. } => true,
        ExprKind::Binary(op, ..) => !matches!(op, BinaryOp::And | BinaryOp::Or),
        ExprKind::Method { .. } => !e.is_iterator(),
        _ => false,
    }
}

/// Whether an expression calls a program, which may cost anything.
pub(super) fn is_call(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Call { callee, args } => {
            !args.is_empty() && !matches!(&callee.kind, ExprKind::Path(path) if path.is_constructor())
        }
        ExprKind::Method { receiver, method, .. } => method.known.is_none() && !receiver.is_iterator(),
        _ => false,
    }
}
