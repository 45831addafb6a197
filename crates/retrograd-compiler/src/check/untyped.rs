//! `let mut s = Slots::new();`, of which nothing says what it holds: an element is reached by an index, and rustc would have to know the
//! type to find that out.

use crate::diagnostics::Diagnostics;
use crate::ir::{ArgKind, Callee, ExprKind, Program, Stmt, VarId};

/// Reports slots without types, unless a call that is given them says what they are.
pub(super) fn check(program: &Program, diagnostics: &Diagnostics) {
    let mut given: Vec<VarId> = Vec::new();
    program.body.walk(&mut |stmt| match stmt {
        Stmt::Call(call) => {
            // A method of the slots themselves says nothing.
            let of_method = matches!(call.callee, Callee::Method { .. });
            let whole = call.args.iter().skip(usize::from(of_method)).filter_map(|arg| match &arg.kind {
                ArgKind::Change(place) | ArgKind::Borrow(place) if place.path.is_empty() => Some(place.root),
                _ => None,
            });
            given.extend(whole);
        }
        Stmt::Swap(swap) => given.extend([swap.a.root, swap.b.root]),
        _ => {}
    });
    program.body.walk(&mut |stmt| {
        let Stmt::Begin(b) = stmt else { return };
        let (Some(var), None) = (b.pattern.as_var(), &b.ty) else { return };
        let ExprKind::Call { callee, args } = &b.value.kind else { return };
        let ExprKind::Path(path) = &callee.kind else { return };
        let untyped = path.of.is_none() && path.segments.iter().all(|segment| segment.arguments.is_none());
        let is_new = path.owner().is_some_and(|owner| owner == "Slots") && path.last() == "new" && args.is_empty();
        if is_new && untyped && !given.contains(&var) {
            diagnostics.error(
                b.value.span,
                "what these slots hold is not written, and rustc cannot find it out from their elements; write the types of keys and values: \
                 `Slots::<u32, f64>::new()`",
            );
        }
    });
}
