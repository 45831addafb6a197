//! Generic parameters and bounds of derivative companions.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::derivatives::Companions;
use super::paths::SHADOW;
use crate::ir::Type;
use crate::signature::Home;
use crate::signature::numbers::mentions;

impl Companions<'_> {
    /// The scalar shadow as a generic parameter.
    pub(super) fn scalar_shadow(&self) -> syn::GenericParam {
        let shadow = format_ident!("{SHADOW}");
        let mut bounds = vec![quote!(::retrograd::private::Base)];
        bounds.extend(self.numbers().parameters.iter().map(|number| quote!(::retrograd::private::Shadow<#number>)));
        bounds.extend(self.named_numbers().iter().map(|number| quote!(::retrograd::private::Shadow<#number>)));
        syn::parse_quote!(#shadow: #(#bounds)+*)
    }

    /// The generics of the function, with the bounds that derivatives need.
    pub(super) fn generics(&self) -> syn::Generics {
        let mut generics = self.signature.syntax.generics.clone();
        for name in self.numbers().implied() {
            generics.make_where_clause().predicates.push(syn::parse_quote!(#name: ::retrograd::private::Real));
        }
        if matches!(self.signature.home, Home::Trait(_) | Home::Declaration) {
            generics.make_where_clause().predicates.push(syn::parse_quote!(Self: ::core::marker::Sized));
        }
        generics
    }

    /// The generic arguments of a call of another companion, where those of its parameters do not say them all; `shadow`: behind them it has
    /// the scalar shadow.
    pub(super) fn passed_on(&self, shadow: bool) -> TokenStream {
        let params = || self.signature.syntax.generics.params.iter();
        let names: Vec<&syn::Ident> = params()
            .filter_map(|param| match param {
                syn::GenericParam::Type(param) => Some(&param.ident),
                syn::GenericParam::Const(param) => Some(&param.ident),
                syn::GenericParam::Lifetime(_) => None,
            })
            .collect();
        let said = |name: &syn::Ident| self.parameters().iter().any(|p| mentions(&p.value.syntax(), name));
        if names.iter().all(|name| said(name)) {
            return TokenStream::new();
        }
        let shadow = shadow.then(|| quote!(_));
        quote!(::<#(#names,)* #shadow>)
    }

    /// The number types of this library that active parameters and the value are written with, such as `Fixed<32>`; each once.
    fn named_numbers(&self) -> Vec<&Type> {
        let mut named: Vec<&Type> = Vec::new();
        let active = self.parameters().iter().filter(|p| p.active).map(|p| &p.value);
        for ty in active.chain(self.value()) {
            ty.walk(&mut |ty| {
                if self.numbers().is_named(ty) && !named.contains(&ty) {
                    named.push(ty);
                }
            });
        }
        named
    }

    /// What nothing else says: that the type of a trait has a shadow, and a type parameter that is no number.
    pub(super) fn shadowed(&self, mut generics: syn::Generics, shadow: &TokenStream) -> syn::Generics {
        let said_by_trait = self.composition.is_some() || matches!(self.signature.home, Home::Declaration);
        if said_by_trait && self.parameters().iter().any(|p| p.receiver && p.active) {
            let predicate = syn::parse_quote!(Self: ::retrograd::private::Shadowed<#shadow>);
            generics.make_where_clause().predicates.push(predicate);
        }
        let is_part = |name: &&proc_macro2::Ident| self.composition.is_some_and(|of| of.parts.contains(name));
        for name in self.numbers().others.iter().filter(|name| !is_part(name)) {
            let predicate = syn::parse_quote!(#name: ::retrograd::private::Shadowed<#shadow>);
            generics.make_where_clause().predicates.push(predicate);
        }
        // Numbers of several types meet in one sweep.
        for name in self.numbers().parameters.iter().skip(1) {
            let predicate = syn::parse_quote!(#shadow: ::retrograd::private::Shadow<#name>);
            generics.make_where_clause().predicates.push(predicate);
        }
        generics
    }

    /// The scalar shadow that belongs to the program's numbers.
    pub(super) fn number(&self) -> TokenStream {
        if let Some(number) = self.numbers().parameters.first() {
            return quote!(<#number as ::retrograd::private::Active>::Shadow);
        }
        if let Some(number) = self.named_numbers().first() {
            return quote!(<#number as ::retrograd::private::Active>::Shadow);
        }
        let found =
            |name: &str| self.parameters().iter().any(|p| p.active && p.value.mentions(&format_ident!("{name}")));
        if found("f32") && !found("f64") { quote!(f32) } else { quote!(f64) }
    }
}
