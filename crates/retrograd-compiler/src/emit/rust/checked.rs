//! One check for each type that has to be `Active`, so that one that is not gives one message.
//!
//! ```text
//! Checked<Point, { differentiable::<Point, f64>() }>
//! ```
//!
//! This is `Point`, if it is `Active`. If it is not, rustc says so about the call, and nothing more about a type with a constant in it
//! that does not compile. The constant cannot depend on generic parameters: in it they are `f64`, some value and `'static`.
//!
//! After an error in the program itself nothing is said about its types: `Checked<Point, { <Probe<Point, f64>>::INACTIVE }>` is `()`
//! if `Point` is not `Active`.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};

use super::derivatives::Companions;
use crate::ir::{Mode, Type};
use crate::signature::numbers::{is_inactive, mentions};
use crate::signature::{Home, Parameter, types};
use crate::span::{mixed_site, resolved_at};

impl Companions<'_> {
    /// A type, where its shadow is named.
    pub(super) fn checked(&self, ty: &Type) -> Type {
        let mut syntax = ty.syntax();
        self.check_in(&mut syntax);
        types::read(&syntax)
    }

    /// The type of a parameter in a run beside derivatives: what is done with a type that has none is said no second time.
    pub(super) fn checked_parameter(&self, parameter: &Parameter) -> TokenStream {
        let checked = self.checked(&parameter.value);
        let outlives = match parameter.written.as_ref().map(Type::syntax) {
            Some(syn::Type::Reference(r)) => r.lifetime.is_some(),
            _ => false,
        };
        match parameter.mode {
            _ if !parameter.active || outlives || checked == parameter.value => parameter.typed(),
            Mode::Change => quote!(&mut #checked),
            Mode::Borrow => quote!(&#checked),
            Mode::Value => quote!(#checked),
        }
    }

    /// Containers show what they are made of, and so do numbers: what is left is checked.
    fn check_in(&self, ty: &mut syn::Type) {
        match ty {
            syn::Type::Slice(slice) => return self.check_in(&mut slice.elem),
            syn::Type::Array(array) => return self.check_in(&mut array.elem),
            syn::Type::Paren(inner) => return self.check_in(&mut inner.elem),
            syn::Type::Group(inner) => return self.check_in(&mut inner.elem),
            _ => {}
        }
        let read = types::read(ty);
        if self.numbers().is_number(&read) || is_inactive(&read) {
            return;
        }
        if let Some(element) = vec_element_mut(ty) {
            return self.check_in(element);
        }
        let Some(concrete) = self.concrete(ty) else { return };
        let number = self.some_number();
        let at = resolved_at(crate::span::Span::of(&concrete).first, mixed_site());
        let check = match self.rejected {
            true => self.probe(&concrete, at),
            false => quote_spanned!(at=> ::retrograd::private::differentiable::<#concrete, #number>()),
        };
        *ty = syn::parse_quote!(::retrograd::private::Checked<#ty, { #check }>);
    }

    /// What has to be true of the tangent of a `#[constant]` `self` in the `impl` of a trait. If the type is `Active`, callers of the
    /// trait may have a derivative by it, which would be lost; others have none.
    pub(super) fn still_self(&self, ty: &Type) -> TokenStream {
        match self.concrete(&ty.syntax()) {
            Some(concrete) => {
                let probe = self.probe(&concrete, mixed_site());
                quote!(::retrograd::private::StillIf<{ #probe }>)
            }
            None => quote!(::core::marker::Sized),
        }
    }

    /// A constant: 0 if the type is `Active`, and 1 if not.
    fn probe(&self, concrete: &syn::Type, at: proc_macro2::Span) -> TokenStream {
        let (private, number) = (quote!(::retrograd::private), self.some_number());
        quote_spanned!(at=> { use #private::NotActive as _; <#private::Probe<#concrete, #number>>::INACTIVE })
    }

    /// The number that stands for those of the program.
    fn some_number(&self) -> TokenStream {
        if self.numbers().parameters.is_empty() { self.number() } else { quote!(f64) }
    }

    /// The type with something in the place of each generic parameter; `None` if there is one of which nothing is known.
    fn concrete(&self, ty: &syn::Type) -> Option<syn::Type> {
        let mut ty = ty.clone();
        let this = match self.signature.home {
            Home::Inherent(this) | Home::Trait(this) => Some(this),
            Home::Holder | Home::Declaration => None,
        };
        let (numbers, mut consts) = (&self.numbers().parameters, Vec::new());
        for generics in self.signature.all_generics() {
            consts.extend(generics.const_params().map(|param| (&param.ident, some_value(&param.ty))));
        }
        let mut concrete = Concrete { this, numbers, consts: &consts, unknown: false };
        concrete.visit_type_mut(&mut ty);
        if concrete.unknown {
            return None;
        }
        let generics = || self.signature.all_generics();
        let left = generics().flat_map(|g| g.type_params()).any(|param| mentions(&ty, &param.ident));
        let of_any_number = || {
            let bounds = generics().flat_map(|g| g.type_params()).filter(|param| numbers.contains(&param.ident));
            let clauses = self.signature.where_predicates();
            bounds.flat_map(|param| &param.bounds).all(super::over::is_implied)
                && clauses.into_iter().all(|predicate| match predicate {
                    syn::WherePredicate::Type(predicate) => predicate.bounds.iter().all(super::over::is_implied),
                    _ => true,
                })
        };
        (!left && of_any_number()).then_some(ty)
    }
}

/// Puts something in the place of generic parameters.
struct Concrete<'a> {
    this: Option<&'a syn::Type>,
    numbers: &'a [Ident],
    consts: &'a [(&'a Ident, TokenStream)],
    unknown: bool,
}

impl VisitMut for Concrete<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        match ty {
            syn::Type::Path(path) if path.path.is_ident("Self") => match self.this {
                Some(this) => {
                    *ty = this.clone();
                    visit_mut::visit_type_mut(self, ty);
                }
                None => self.unknown = true,
            },
            syn::Type::Path(path) if path.path.get_ident().is_some_and(|name| self.numbers.contains(name)) => {
                *ty = syn::parse_quote!(f64);
            }
            // A constant as an argument looks like a type.
            syn::Type::Path(path) if self.value(&path.path).is_some() => {
                *ty = syn::Type::Verbatim(self.value(&path.path).unwrap_or_default());
            }
            // A type that a trait gives is not known here.
            syn::Type::Path(path) if path.qself.is_some() || self.is_of_a_parameter(&path.path) => self.unknown = true,
            syn::Type::Infer(_) | syn::Type::Macro(_) | syn::Type::ImplTrait(_) => self.unknown = true,
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        match e {
            syn::Expr::Path(path) if self.value(&path.path).is_some() => {
                *e = syn::Expr::Verbatim(self.value(&path.path).unwrap_or_default());
            }
            syn::Expr::Path(path) if path.path.segments.first().is_some_and(|first| first.ident == "Self") => {
                self.unknown = true;
            }
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        *lifetime = syn::Lifetime::new("'static", lifetime.span());
    }

    fn visit_type_reference_mut(&mut self, r: &mut syn::TypeReference) {
        r.lifetime = Some(syn::Lifetime::new("'static", r.and_token.span));
        visit_mut::visit_type_reference_mut(self, r);
    }
}

/// A value for a constant of that type.
fn some_value(ty: &syn::Type) -> TokenStream {
    match ty {
        syn::Type::Path(path) if path.path.is_ident("bool") => quote!(false),
        syn::Type::Path(path) if path.path.is_ident("char") => quote!('x'),
        _ => quote!(1),
    }
}

impl Concrete<'_> {
    /// What stands for a constant.
    fn value(&self, path: &syn::Path) -> Option<TokenStream> {
        let name = path.get_ident()?;
        self.consts.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    }

    /// `T::Item`, `Self::Item`
    fn is_of_a_parameter(&self, path: &syn::Path) -> bool {
        path.segments.len() > 1
            && path.segments.first().is_some_and(|first| first.ident == "Self" || self.numbers.contains(&first.ident))
    }
}

/// The type of the elements of a `Vec`, to be changed.
fn vec_element_mut(ty: &mut syn::Type) -> Option<&mut syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let last = path.path.segments.last_mut().filter(|last| last.ident == "Vec")?;
    match &mut last.arguments {
        syn::PathArguments::AngleBracketed(arguments) => match arguments.args.first_mut()? {
            syn::GenericArgument::Type(element) => Some(element),
            _ => None,
        },
        _ => None,
    }
}
