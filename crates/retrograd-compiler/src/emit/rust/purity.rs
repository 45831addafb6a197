//! Purity is left to rustc: each expression stands once more in dead code, inside a closure that may not change anything.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::body::Emitter;
use crate::ir::{
    Activity, Binding, Expr, ExprKind, Flip, FlipOp, Known, Place, Type, UnaryOp, Update, UpdateOp, VarKind,
};

impl Emitter<'_> {
    /// Purity of an initialiser. Its type may follow from later uses of the local, so it is checked with the local at
    /// hand, after the `let`; a bare name is checked before it, where it cannot have been moved yet.
    pub(super) fn pure_initialiser(&self, s: &Binding) -> (TokenStream, TokenStream) {
        let nothing = TokenStream::new;
        match (s.pattern.as_var(), &s.value.kind) {
            _ if !self.purity.get() || self.plainly_pure(&s.value) => (nothing(), nothing()),
            (Some(var), kind) if !matches!(kind, ExprKind::Var(_) | ExprKind::Ref(_) | ExprKind::Closure { .. }) => {
                let (var, value) = (self.writer.var(var, s.value.span.first), self.writer.expr(&s.value));
                let check = quote_spanned!(s.value.span.first=> if false { ::retrograd::private::pure_like(&#var, || #value); });
                (nothing(), check)
            }
            _ => (self.pure([&s.value]), nothing()),
        }
    }

    /// Dead code in which each expression stands once more, inside a closure that may not change anything.
    pub(super) fn pure<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> TokenStream {
        if !self.purity.get() {
            return TokenStream::new();
        }
        let doubtful: Vec<TokenStream> = exprs
            .into_iter()
            .filter(|e| !self.plainly_pure(e))
            .map(|e| {
                let value = self.writer.expr(e);
                // What is borrowed may be a temporary, which a closure could not return.
                let value = match &e.kind {
                    ExprKind::Ref(inner) if inner.as_place().is_none() => quote!({ let _ = #value; }),
                    _ => value,
                };
                quote_spanned!(e.span.first=> ::retrograd::private::pure(|| #value);)
            })
            .collect();
        if doubtful.is_empty() { TokenStream::new() } else { quote!(if false { #(#doubtful)* }) }
    }

    /// The same for expressions that are looked at and not moved: of a place, its indices.
    pub(super) fn pure_reads<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> TokenStream {
        let mut doubtful: Vec<Expr> = Vec::new();
        for e in exprs {
            match e.as_place() {
                Some(place) => doubtful.extend(place.indices().cloned()),
                None => doubtful.push(e.clone()),
            }
        }
        self.pure(&doubtful)
    }

    /// Purity of the indices and the operand of an update, and that it can be undone: where it is not seen that the target is a
    /// number, its type has to say so.
    pub(super) fn pure_update(&self, s: &Update) -> TokenStream {
        let checked = match s.op {
            UpdateOp::Add | UpdateOp::Sub if self.flows_into(&s.target) => "add_update_linear",
            UpdateOp::Add | UpdateOp::Sub => "add_update",
            UpdateOp::Xor => "xor_update",
            UpdateOp::Mul | UpdateOp::Div => return self.pure(s.target.indices().chain([&s.operand])),
        };
        if !self.purity.get() {
            return TokenStream::new();
        }
        if self.is_number(&s.target) && self.is_arithmetic(&s.operand) {
            return self.pure(s.target.indices().chain([&s.operand]));
        }
        let (w, at) = (self.writer, s.span.first);
        let (pure, target) = (self.pure(s.target.indices()), w.place(&s.target));
        let operand = match &s.operand.kind {
            ExprKind::Ref(inner) if inner.as_place().is_none() => {
                let inner = w.expr(inner);
                quote!(::retrograd::private::never_borrowed(#inner))
            }
            _ => w.expr(&s.operand),
        };
        let checked = Ident::new(checked, at);
        quote_spanned!(at=> #pure if false { ::retrograd::private::#checked(&#target, || #operand); })
    }

    /// The same for `y = -y` and `y = !y`.
    pub(super) fn pure_flip(&self, s: &Flip) -> TokenStream {
        let pure = self.pure(s.target.indices());
        if !self.purity.get() || self.is_number(&s.target) {
            return pure;
        }
        let (target, at) = (self.writer.place(&s.target), s.span.first);
        let checked = match s.op {
            FlipOp::Neg if self.flows_into(&s.target) => "neg_update_linear",
            FlipOp::Neg => "neg_update",
            FlipOp::Not => "not_update",
        };
        let checked = Ident::new(checked, at);
        quote_spanned!(at=> #pure if false { ::retrograd::private::#checked(&#target); })
    }

    /// Whether a derivative flows through what is changed.
    fn flows_into(&self, target: &Place) -> bool {
        let root = self.context.access(target, false).place.root;
        self.derivatives && self.context.vars[root.0].activity == Activity::Active
    }

    /// Whether an expression is visibly made of plain numbers.
    fn is_arithmetic(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(_) | ExprKind::Cast(..) => true,
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::Not, a) => self.is_arithmetic(a),
            ExprKind::Binary(_, a, b) => self.is_arithmetic(a) && self.is_arithmetic(b),
            _ => e.as_place().is_some_and(|place| self.is_number(&place)),
        }
    }

    /// Whether a place is a plain number, as its type is written.
    fn is_number(&self, target: &Place) -> bool {
        let ty = self.context.vars[target.root.0].ty.as_ref();
        let ty = ty.and_then(|ty| target.path.iter().try_fold(ty, |ty, step| ty.part(step)));
        ty.is_some_and(|ty| self.program.numbers.is_plain_number(ty))
    }

    /// Literals, and arithmetic and comparisons of integers.
    fn plainly_pure(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(_) => true,
            ExprKind::Var(var) if self.context.vars[var.0].kind == VarKind::Bound => true,
            ExprKind::Var(var) => {
                let var = &self.context.vars[var.0];
                var.ty.as_ref().is_some_and(|ty| ty.is("usize"))
            }
            ExprKind::Binary(_, a, b) => self.plainly_pure(a) && self.plainly_pure(b),
            ExprKind::Method { receiver, method, .. } => method.known == Some(Known::Shape) && self.is_slice(receiver),
            _ => false,
        }
    }

    /// Whether an expression is a variable that is a slice, an array or a `Vec`.
    fn is_slice(&self, e: &Expr) -> bool {
        let ExprKind::Var(var) = e.kind else { return false };
        self.context.vars[var.0].ty.as_ref().is_some_and(Type::is_list)
    }
}
