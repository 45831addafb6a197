//! Operators, and how tightly they bind.

use proc_macro2::Ident;
use quote::quote;

use super::out::Out;
use super::tokens::Writer;
use crate::ir::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Writer<'_> {
    /// How tightly the outermost operator of an expression binds.
    pub(super) fn binding(&self, e: &Expr) -> Binding {
        match &e.kind {
            ExprKind::Unary(..) | ExprKind::Ref(_) | ExprKind::RefMut(_) => Binding::Prefix,
            ExprKind::Binary(op, ..) => binding_of(*op),
            ExprKind::Cast(_, ty) if self.casts_to_real(ty).is_none() => Binding::Cast,
            ExprKind::Range { .. } => Binding::Range,
            ExprKind::Let(..) => Binding::And,
            ExprKind::If { .. } | ExprKind::Match { .. } | ExprKind::Block { .. } | ExprKind::Closure { .. } => {
                Binding::Loosest
            }
            ExprKind::Rule(rule, args) if self.readable => self.binding_of_rule(rule, args),
            ExprKind::Lit(_)
            | ExprKind::Var(_)
            | ExprKind::Path(_)
            | ExprKind::Cast(..)
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Tuple(_)
            | ExprKind::Array(_)
            | ExprKind::Repeat(..)
            | ExprKind::Struct { .. }
            | ExprKind::Call { .. }
            | ExprKind::Method { .. }
            | ExprKind::Macro { .. }
            | ExprKind::Rule(..)
            | ExprKind::Companion { .. } => Binding::Postfix,
        }
    }

    /// An operator of one operand, in front of it.
    pub(super) fn prefix<O: Out>(&self, op: &str, inner: &Expr, at: proc_macro2::Span, out: &mut O) {
        // rustc takes `--x` for a decrement that somebody misses.
        let doubled = op == "-" && matches!(inner.kind, ExprKind::Unary(UnaryOp::Neg, _));
        out.op(op, at);
        self.write(inner, if doubled { Binding::Postfix } else { Binding::Prefix }, out);
    }

    pub(super) fn binary<O: Out>(&self, op: BinaryOp, a: &Expr, b: &Expr, at: proc_macro2::Span, out: &mut O) {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne, Shl};
        let binding = binding_of(op);
        // `a as T < b` would be read as the start of generic arguments; comparisons do not chain.
        let left = match op {
            Lt | Shl if self.ends_in_a_cast(a) => Binding::Prefix,
            Eq | Ne | Lt | Le | Gt | Ge => tighter(binding),
            _ => binding,
        };
        self.operand(op, (a, b), true, left, out);
        out.op(op.sign(), at);
        // `a && let p = b` has no parentheses around its `let`.
        let right = if matches!(b.kind, ExprKind::Let(..)) { binding } else { tighter(binding) };
        self.operand(op, (b, a), false, right, out);
    }

    /// One operand of two; in dead code its type may be asked about.
    fn operand<O: Out>(
        &self,
        op: BinaryOp,
        (operand, other): (&Expr, &Expr),
        first: bool,
        needed: Binding,
        out: &mut O,
    ) {
        let Some(asks) = self.asks_of_operand(op, operand, other, first) else {
            return self.write(operand, needed, out);
        };
        let (asks, operand) = (Ident::new(asks, operand.span.first), self.expr(operand));
        out.stream(quote!(__private::#asks(#operand)));
    }

    /// Whether the last thing that is written is the type of a cast: `a + n as usize`.
    fn ends_in_a_cast(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Cast(..) => true,
            ExprKind::Binary(_, _, last) => self.ends_in_a_cast(last),
            _ => false,
        }
    }
}

/// How tightly the outermost operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Loosest,
    Range,
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Cast,
    Prefix,
    Postfix,
}

fn binding_of(op: BinaryOp) -> Binding {
    use BinaryOp::*;
    match op {
        Mul | Div | Rem => Binding::Product,
        Add | Sub => Binding::Sum,
        Shl | Shr => Binding::Shift,
        BitAnd => Binding::BitAnd,
        BitXor => Binding::BitXor,
        BitOr => Binding::BitOr,
        Eq | Ne | Lt | Le | Gt | Ge => Binding::Compare,
        And => Binding::And,
        Or => Binding::Or,
    }
}

/// What binds more tightly than an operator of two operands, by one.
fn tighter(binding: Binding) -> Binding {
    match binding {
        Binding::Product => Binding::Cast,
        Binding::Sum => Binding::Product,
        Binding::Shift => Binding::Sum,
        Binding::BitAnd => Binding::Shift,
        Binding::BitXor => Binding::BitAnd,
        Binding::BitOr => Binding::BitXor,
        Binding::Compare => Binding::BitOr,
        Binding::And => Binding::Compare,
        _ => Binding::And,
    }
}
