//! Literals of generic functions that are written as they are: with one `T: Real`, unsuffixed float literals are `T`, as in a program.

use proc_macro2::Ident;
use quote::quote_spanned;
use syn::visit_mut::{VisitMut, visit_expr_call_mut, visit_expr_mut};

/// Makes the literals in a function numbers of that type.
pub(super) struct Literals<'a>(pub(super) Option<&'a Ident>);

impl VisitMut for Literals<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let (Some(real), syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(lit), .. })) = (self.0, &*e)
            && lit.suffix().is_empty()
        {
            let call = quote_spanned!(lit.span()=> <#real as ::retrograd::private::Real>::lit(#lit));
            *e = syn::Expr::Verbatim(call);
            return;
        }
        visit_expr_mut(self, e);
    }

    // `T::lit(2.0)` takes the literal as it is.
    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        let last = match &*call.func {
            syn::Expr::Path(callee) => callee.path.segments.last(),
            _ => None,
        };
        if last.is_none_or(|last| last.ident != "lit") {
            visit_expr_call_mut(self, call);
        }
    }

    // An item inside of a function does not know the types of the function.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
