//! What is seen to be a plain number, or arithmetic of plain numbers: such an expression changes nothing, and rustc need not be
//! asked about it.

use super::body::Emitter;
use crate::analysis::types::{is_inherent, of_place};
use crate::ir::{Expr, ExprKind, Known, MacroArgs, Place, Type, UnaryOp, VarKind};

impl Emitter<'_> {
    /// Whether an expression is arithmetic, or a comparison, of plain numbers.
    pub(super) fn is_plain(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(_) => true,
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::Not, a) => self.is_plain(a),
            ExprKind::Binary(_, a, b) => self.is_plain(a) && self.is_plain(b),
            ExprKind::Method { receiver, method, args, .. } => {
                let inherent = matches!(method.known, Some(Known::Elementary(function)) if is_inherent(function));
                inherent && self.is_plain(receiver) && args.iter().all(|e| self.is_plain(e))
            }
            _ => e.as_place().is_some_and(|place| self.is_number(&place) && place.indices().all(|i| self.is_pure(i))),
        }
    }

    /// Whether an expression visibly changes nothing: arithmetic of plain numbers, counters and lengths.
    pub(super) fn is_pure(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Var(var) if self.context.vars[var.0].kind == VarKind::Bound => true,
            ExprKind::Binary(_, a, b) => self.is_pure(a) && self.is_pure(b),
            ExprKind::Method { receiver, method, .. } if method.known == Some(Known::Shape) => {
                receiver.as_place().is_some_and(|place| place.path.is_empty() && self.is_slice_place(&place))
            }
            // What captures nothing changes nothing that is captured, and `vec![]` and `None` alone have no type.
            ExprKind::Path(_) => true,
            ExprKind::Macro { args: MacroArgs::List(all), .. } if all.is_empty() => true,
            ExprKind::Call { callee, args } if args.is_empty() => matches!(callee.kind, ExprKind::Path(_)),
            _ => self.is_plain(e),
        }
    }

    /// Whether a place is a plain number, as far as its type is known. What only operators bind can be of any type.
    pub(super) fn is_number(&self, place: &Place) -> bool {
        let ty = of_place(self.context.vars, place);
        ty.is_some_and(|ty| self.program.numbers.is_plain_number(ty)) && !self.is_implied(place)
    }

    /// Whether operators alone say that a place is a number.
    pub(super) fn is_implied(&self, place: &Place) -> bool {
        let name = of_place(self.context.vars, place).and_then(Type::as_name);
        name.is_some_and(|name| self.program.numbers.implied().contains(name))
    }

    /// Whether a place is a float, or a number that the program is generic in, as its type is written.
    pub(super) fn is_real(&self, place: &Place) -> bool {
        let name = of_place(self.context.vars, place).and_then(Type::as_name);
        name.is_some_and(|name| self.program.numbers.contains(name))
    }

    /// Whether a place is a slice, an array or a `Vec`, as its type is written.
    pub(super) fn is_slice_place(&self, place: &Place) -> bool {
        of_place(self.context.vars, place).is_some_and(Type::is_list)
    }
}
