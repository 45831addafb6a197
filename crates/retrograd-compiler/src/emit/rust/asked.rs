//! What is asked of types, in dead code: that updates undo each other, and that different indices mean different elements. Where it is
//! seen that a type is a number or a slice, nothing is asked.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::body::Emitter;
use crate::ir::{
    Activity, Binding, BindingKind, Expr, ExprKind, Flip, FlipOp, Place, Projection, Stmt, Type, UnaryOp, Update,
    UpdateOp,
};

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
        if self.is_number(&s.target) && self.is_arithmetic(&s.operand) {
            return self.pure(s.target.indices().chain([&s.operand]));
        }
        let (w, at) = (self.checking(), s.span.first);
        let (pure, target) = (self.pure(s.target.indices()), w.place(&s.target));
        let operand = match &s.operand.kind {
            ExprKind::Ref(inner) if inner.as_place().is_none() => {
                let inner = w.expr(inner);
                quote!(::retrograd::private::never_borrowed(#inner))
            }
            _ => w.expr(&s.operand),
        };
        let checked = Ident::new(checked, at);
        let operand = quote_spanned!(s.operand.span.first=> || #operand);
        quote_spanned!(at=> #pure if false { ::retrograd::private::#checked(&#target, #operand); })
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
        self.written_type(target).is_some_and(|ty| self.program.numbers.is_plain_number(ty))
    }

    /// Dead code by which rustc checks that the containers of which a statement changes elements have different ones at different
    /// indices. Slices and arrays are seen to.
    pub(super) fn indexed(&self, stmt: &Stmt) -> TokenStream {
        if !self.purity.get() {
            return TokenStream::new();
        }
        let mut places: Vec<Place> = match stmt {
            Stmt::Begin(Binding { kind: BindingKind::View, value, .. }) => value.as_place().into_iter().collect(),
            Stmt::Update(_) | Stmt::Flip(_) | Stmt::Map(_) | Stmt::Swap(_) | Stmt::Call(_) => {
                self.context.own_effects(stmt).writes.into_iter().map(|write| write.written).collect()
            }
            Stmt::Permute(_)
            | Stmt::Begin(_)
            | Stmt::End(_)
            | Stmt::If(_)
            | Stmt::Match(_)
            | Stmt::While(_)
            | Stmt::For(_)
            | Stmt::Block(_)
            | Stmt::Conjugate(_)
            | Stmt::Unchecked(_)
            | Stmt::Inverse(_)
            | Stmt::Host(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_) => Vec::new(),
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
                quote_spanned!(place.span.first=> ::retrograd::private::indexed(&#container);)
            })
            .collect();
        if checks.is_empty() { TokenStream::new() } else { quote!(if false { #(#checks)* }) }
    }

    /// Whether a place is a slice, an array or a `Vec`, as its type is written.
    pub(super) fn is_slice_place(&self, place: &Place) -> bool {
        self.written_type(place).is_some_and(Type::is_list)
    }

    /// The type of a place, references left out, as far as it is written.
    fn written_type(&self, place: &Place) -> Option<&Type> {
        let ty = self.context.vars[place.root.0].ty.as_ref()?;
        place.path.iter().try_fold(ty, |ty, step| ty.part(step)).map(Type::pointee)
    }
}
