//! What has no name in a signature gets one: companions name the types of their arguments.

use proc_macro2::Span;
use quote::format_ident;
use syn::visit_mut::{self, VisitMut};

/// The signature with names for `impl Trait`, for `'_`, and for the lifetimes of references inside of types. What the value leaves out is
/// refused later, and is `'static` until then. `-> ()` is left out.
pub(super) fn named(sig: &syn::Signature) -> syn::Signature {
    let mut sig = sig.clone();
    if has_no_value(&sig) {
        sig.output = syn::ReturnType::Default;
    }
    let mut named = Named { generics: Vec::new(), lifetimes: 0 };
    for input in &mut sig.inputs {
        let syn::FnArg::Typed(typed) = input else { continue };
        match &mut *typed.ty {
            // The reference itself is no part of the type that companions name.
            syn::Type::Reference(r) => named.visit_type_mut(&mut r.elem),
            ty => named.visit_type_mut(ty),
        }
    }
    sig.generics.params.extend(named.generics);
    if elides(&sig)
        && let syn::ReturnType::Type(_, ty) = &mut sig.output
    {
        Elided { found: false }.visit_type_mut(ty);
    }
    sig
}

/// Whether a signature is that of a procedure.
pub(crate) fn has_no_value(sig: &syn::Signature) -> bool {
    match &sig.output {
        syn::ReturnType::Default => true,
        syn::ReturnType::Type(_, ty) => matches!(&**ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty()),
    }
}

/// Whether the value of a function borrows, and leaves out for how long. That of a method borrows from `self`.
pub(super) fn elides(sig: &syn::Signature) -> bool {
    let mut elided = Elided { found: false };
    if let (None, syn::ReturnType::Type(_, ty)) = (sig.receiver(), &sig.output) {
        elided.visit_type_mut(&mut ty.clone());
    }
    elided.found
}

/// Replaces lifetimes that are left out.
struct Elided {
    found: bool,
}

impl VisitMut for Elided {
    fn visit_type_reference_mut(&mut self, r: &mut syn::TypeReference) {
        if r.lifetime.is_none() {
            self.found = true;
            r.lifetime = Some(syn::Lifetime::new("'static", r.and_token.span));
        }
        visit_mut::visit_type_reference_mut(self, r);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident == "_" {
            self.found = true;
            *lifetime = syn::Lifetime::new("'static", lifetime.span());
        }
    }

    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut syn::ParenthesizedGenericArguments) {}
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
}

/// Gives names to what has none.
struct Named {
    generics: Vec<syn::GenericParam>,
    lifetimes: usize,
}

impl Named {
    fn lifetime(&mut self) -> syn::Lifetime {
        let name = syn::Lifetime::new(&format!("'__borrowed_{}", self.lifetimes), Span::call_site());
        self.lifetimes += 1;
        self.generics.push(syn::parse_quote!(#name));
        name
    }
}

impl VisitMut for Named {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        visit_mut::visit_type_mut(self, ty);
        if let syn::Type::ImplTrait(bounds) = ty {
            let types = self.generics.len() - self.lifetimes;
            let (name, bounds) = (format_ident!("__Argument{}", types), &bounds.bounds);
            self.generics.push(syn::parse_quote!(#name: #bounds));
            *ty = syn::parse_quote!(#name);
        }
    }

    fn visit_type_reference_mut(&mut self, r: &mut syn::TypeReference) {
        if r.lifetime.is_none() {
            r.lifetime = Some(self.lifetime());
        }
        visit_mut::visit_type_reference_mut(self, r);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.lifetime();
        }
    }

    // `Fn(&T) -> &T` and `fn(&T)` are for every lifetime.
    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut syn::ParenthesizedGenericArguments) {}
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
}
