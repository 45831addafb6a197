//! Purity is left to rustc: each expression stands once more in dead code, inside a closure that may not change anything.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::body::Emitter;
use super::tokens::Writer;
use crate::ir::{Binding, Expr, ExprKind, Place};

impl Emitter<'_> {
    /// Purity of an initialiser. Its type may follow from later uses of the local, so it is checked with the local at
    /// hand, after the `let`.
    pub(super) fn pure_initialiser(&self, s: &Binding) -> (TokenStream, TokenStream) {
        let nothing = TokenStream::new;
        if !self.purity.get() || self.is_pure(&s.value) || self.names_places(&s.value) {
            return (nothing(), nothing());
        }
        match s.pattern.as_var() {
            Some(var) if !self.is_asked_in_front(&s.value) => {
                let value = self.checking().expr(&self.without_moves(&s.value));
                let var = self.writer.var(var, s.value.span.first);
                let check = quote_spanned!(s.value.span.first=> if false { __private::pure_like(&#var, || #value); });
                (nothing(), check)
            }
            _ => (self.pure(self.unmoved(&s.value)), nothing()),
        }
    }

    /// Purity of a value that is assigned. Its type may follow from that of the place, which is there behind the assignment.
    pub(super) fn pure_value(&self, target: &Place, value: &Expr) -> (TokenStream, TokenStream) {
        if !self.purity.get() || self.is_pure(value) || self.names_places(value) {
            return (TokenStream::new(), TokenStream::new());
        }
        if self.is_asked_in_front(value) {
            return (self.pure(self.unmoved(value)), TokenStream::new());
        }
        let (at, target) = (value.span.first, self.checking().place(target));
        let value = self.checking().expr(&self.without_moves(value));
        let check = quote_spanned!(at=> if false { __private::pure_like(&#target, || #value); });
        (TokenStream::new(), check)
    }

    /// Whether dead code about a value stands in front of it, where nothing is moved yet: its type is its own.
    fn is_asked_in_front(&self, value: &Expr) -> bool {
        matches!(value.kind, ExprKind::Ref(_) | ExprKind::Closure { .. }) || !self.given(value).is_empty()
    }

    /// Writes dead code.
    pub(super) fn checking(&self) -> Writer<'_> {
        Writer { dead: true, asks: self.derivatives, ..self.writer }
    }

    /// Dead code in which each expression stands once more, inside a closure that may not change anything.
    pub(super) fn pure<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> TokenStream {
        if !self.purity.get() {
            return TokenStream::new();
        }
        let doubtful: Vec<TokenStream> = exprs
            .into_iter()
            .filter(|e| !self.is_pure(e))
            .map(|e| {
                let value = self.checking().expr(e);
                // What is borrowed may be a temporary, which a closure could not return.
                let value = match &e.kind {
                    ExprKind::Ref(inner) if !inner.is_place() => quote!({ let _ = #value; }),
                    _ => self.enclosed(e, value),
                };
                quote_spanned!(e.span.first=> __private::pure(|| #value);)
            })
            .collect();
        if doubtful.is_empty() { TokenStream::new() } else { quote!(if false { #(#doubtful)* }) }
    }

    /// The same for the value of a function, whose type need not be seen in it: `(x, None)`.
    pub(super) fn pure_result(&self, e: &Expr) -> TokenStream {
        match &self.program.output {
            Some(ty) if self.purity.get() && !self.names_places(e) => {
                let written = self.checking().expr(&self.without_moves(e));
                let (ty, e) = (ty.written.tokens(), self.enclosed(e, written));
                quote!(if false { __private::pure::<#ty>(|| #e); })
            }
            _ => TokenStream::new(),
        }
    }

    /// The same for expressions that are looked at and not moved: of a place, its indices.
    pub(super) fn pure_reads<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> TokenStream {
        let mut doubtful: Vec<Expr> = Vec::new();
        for e in exprs {
            // What is borrowed to be changed is not read before.
            let e = match &e.kind {
                ExprKind::RefMut(inner) => inner,
                _ => e,
            };
            match e.as_place() {
                Some(place) => doubtful.extend(place.indices().cloned()),
                None => doubtful.push(e.clone()),
            }
        }
        self.pure(&doubtful)
    }
}
