//! What is asked of types, in dead code: that updates undo each other, and that different indices mean different elements. Where it is
//! seen that a type is a number or a slice, nothing is asked.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::body::Emitter;
use crate::ir::{Activity, Binding, BindingKind, ExprKind, Flip, FlipOp, Place, Projection, Stmt, Update, UpdateOp};

impl Emitter<'_> {
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
        if self.is_number(&s.target) && self.is_plain(&s.operand) {
            return self.pure(s.target.indices().chain([&s.operand]));
        }
        let (w, at) = (self.checking(), s.span.first);
        let (pure, target) = (self.pure(s.target.indices()), w.place(&s.target));
        let operand = match &s.operand.kind {
            ExprKind::Ref(inner) if !inner.is_place() => {
                let inner = w.expr(inner);
                quote!(__private::never_borrowed(#inner))
            }
            _ => self.enclosed(&s.operand, w.expr(&s.operand)),
        };
        let checked = Ident::new(checked, at);
        let operand = quote_spanned!(s.operand.span.first=> || #operand);
        quote_spanned!(at=> #pure if false { __private::#checked(&#target, #operand); })
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
        quote_spanned!(at=> #pure if false { __private::#checked(&#target); })
    }

    /// Whether a derivative flows through what is changed, of a type that has to say so: what operators bind is a number there.
    fn flows_into(&self, target: &Place) -> bool {
        let root = self.context.root(target);
        self.derivatives && self.context.vars[root.0].activity == Activity::Active && !self.is_implied(target)
    }

    /// Dead code by which rustc checks that the containers of which a statement changes elements have different ones at different
    /// indices. Slices and arrays are seen to.
    pub(super) fn indexed(&self, stmt: &Stmt) -> TokenStream {
        if !self.purity.get() {
            return TokenStream::new();
        }
        let mut places: Vec<Place> = if let Stmt::Begin(Binding { kind: BindingKind::View, value, .. }) = stmt {
            value.as_place().into_iter().collect()
        } else if stmt.acts() && !matches!(stmt, Stmt::Permute(_)) {
            // A permutation is one of a slice.
            self.context.own_effects(stmt).writes.into_iter().map(|write| Place::clone(&write.written)).collect()
        } else {
            Vec::new()
        };
        places.dedup();
        let containers = places.iter().flat_map(|place| {
            let at = |(i, step): (usize, &Projection)| matches!(step, Projection::Index(_)).then_some(i);
            let ends = place.path.iter().enumerate().filter_map(at).collect::<Vec<_>>();
            ends.into_iter().map(|end| Place { path: place.path[..end].to_vec(), ..place.clone() })
        });
        let unknown = containers.filter(|place| !self.is_slice_place(place));
        let checks: Vec<TokenStream> = unknown
            .map(|place| {
                let container = self.writer.place(&place);
                quote_spanned!(place.span.first=> __private::indexed(&#container);)
            })
            .collect();
        if checks.is_empty() { TokenStream::new() } else { quote!(if false { #(#checks)* }) }
    }
}
