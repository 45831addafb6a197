//! `Active` for the struct: its shadow, and the numbers that it is made of.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, Type};

use super::implement::{Implement, arguments};
use super::model::{Field, Model, Shape};
use super::own::Own;
use super::types;

/// `Active` for the struct.
///
/// Numbers behind a `&` are not the struct's own: they have a shadow, but cannot be set, and are not visited.
pub(super) fn active(model: &Model) -> TokenStream {
    let active = quote!(::retrograd::private::Active);
    let bases = bases(model);
    let mut bounds = Bounds { model, list: Vec::new() };
    let (number, parameters) = together(&bases, &mut bounds);
    for base in &bases {
        bounds.add(types::is_number(base), sized(base));
    }
    let shadow = match &model.shape {
        Shape::Same => {
            model.generics.type_params().for_each(|parameter| bounds.add(true, sized(&parameter.ident)));
            let name = model.name;
            let arguments = arguments(&model.generics, |ident: &Ident| quote!(<#ident as #active>::Shadow));
            quote!(#name<#(#arguments),*>)
        }
        Shape::Own(name) => {
            let own = Own::new(model, name);
            let scalar = quote!(<#number as #active>::Shadow);
            bounds.add(!own.has_scalars || literal(&bases).is_some(), sized(&number));
            for (field, bound) in own.needs(&scalar) {
                bounds.add(types::is_plain(&field.ty, &model.generics), bound);
            }
            own.ty(&scalar)
        }
    };
    let visits = |shared: bool| -> TokenStream {
        let visited = model.active().filter(|field| !field.shared && has_numbers(field));
        visited.map(|field| visit(field, &number, bases.len() > 1, shared)).collect()
    };
    let header = parameters.iter().fold(Implement::new(&model.generics), Implement::scalar).bounds(bounds.list);
    let body = body(&shadow, &number, &visits(true), &visits(false));
    let (active, asserted) = (header.body(active, &model.this(), body), asserted(model, &bases));
    quote!(#active #asserted)
}

fn sized(ty: &impl ToTokens) -> TokenStream {
    quote!(#ty: ::retrograd::private::Active<Shadow: ::core::marker::Sized>)
}

/// What the `impl` relies on.
struct Bounds<'a> {
    model: &'a Model<'a>,
    list: Vec<TokenStream>,
}

impl Bounds<'_> {
    /// Adds a bound; one that holds anyway, as it is `known` of a type that is not generic, is left out.
    ///
    /// What else is said of a type that is not generic is said as if it were, `for<'g> F: Active`. So rustc relies on it in the
    /// `impl`, and a field that is not active gives one error, where it is [`asserted`], and not one at each use.
    fn add(&mut self, known: bool, bound: TokenStream) {
        let lifetime = &self.model.lifetime;
        match self.model.is_generic(&bound) {
            true => self.list.push(bound),
            false if known => {}
            false => self.list.push(quote!(for<#lifetime> #bound)),
        }
    }
}

/// Where rustc finds out whether the types of the fields are active, if they are not generic.
fn asserted(model: &Model, bases: &[&Type]) -> TokenStream {
    let (active, among) = (quote!(::retrograd::private::Active), quote!(::retrograd::private::Among));
    let concrete = |base: &&&Type| !model.is_generic(base);
    let numbers = bases.iter().filter(concrete).map(|base| quote!(<#base as #active>::Number));
    let number = match literal(bases) {
        Some(number) => number.to_token_stream(),
        None => numbers.reduce(with).unwrap_or_default(),
    };
    let unknown = bases.iter().filter(concrete).filter(|base| !types::is_number(base));
    let assertions = unknown.map(|base| {
        let (count, number_of) = (qualified(base, "count"), qualified(base, "Number"));
        quote! {
            let _ = #count;
            let _ = <#number_of as #among<#number>>::pass;
        }
    });
    let assertions: TokenStream = assertions.collect();
    (!assertions.is_empty()).then(|| quote!(const _: () = { #assertions };)).unwrap_or_default()
}

/// `<base as Active>::item`.
fn qualified(base: &Type, item: &str) -> TokenStream {
    types::qualified(base, quote!(::retrograd::private::Active), item)
}

/// The numbers of two fields together.
fn with(sum: TokenStream, number: TokenStream) -> TokenStream {
    quote!(<#sum as ::retrograd::private::With<#number>>::Number)
}

/// The type of all numbers, if one of the fields says it.
fn literal<'a>(bases: &[&'a Type]) -> Option<&'a Type> {
    bases.iter().copied().find(|base| types::is_number(base))
}

/// The items of `Active`.
pub(super) fn body(shadow: &TokenStream, number: &TokenStream, shared: &TokenStream, mutable: &TokenStream) -> TokenStream {
    quote! {
        type Shadow = #shadow;
        type Number = #number;

        #[inline]
        #[allow(unused_variables)]
        fn visit(&self, visit: &mut dyn ::core::ops::FnMut(&Self::Number)) {
            #shared
        }
        #[inline]
        #[allow(unused_variables)]
        fn visit_mut(&mut self, visit: &mut dyn ::core::ops::FnMut(&mut Self::Number)) {
            #mutable
        }
    }
}

/// The types that the numbers of the struct belong to, each once.
fn bases<'a>(model: &'a Model) -> Vec<&'a Type> {
    let mut seen = BTreeSet::new();
    let fields = model.active().filter(|field| !field.recursive);
    fields.filter_map(|field| types::base(&field.ty)).filter(|base| seen.insert(base.to_token_stream().to_string())).collect()
}

fn has_numbers(field: &Field) -> bool {
    field.recursive || types::base(&field.ty).is_some()
}

/// The type of the numbers of all fields together, and the parameters that are needed for it.
///
/// All numbers are of one type, or there are none. If no field says which, the numbers of the first two fields together are a
/// parameter, `N0: With<N1, Number = Numbers1>`, and so on; a projection in its place, `<N0 as With<N1>>::Number`, would be one
/// that rustc does not find the bound of.
fn together<'a>(bases: &[&Type], bounds: &mut Bounds<'a>) -> (TokenStream, &'a [Ident]) {
    let numbers: Vec<TokenStream> = bases.iter().map(|base| qualified(base, "Number")).collect();
    let Some((first, rest)) = numbers.split_first() else { return (quote!(()), &[]) };
    let (mut number, mut parameters) = (first.clone(), &[][..]);
    match literal(bases) {
        Some(literal) => number = literal.to_token_stream(),
        None => {
            parameters = &bounds.model.together[..rest.len()];
            for (next, parameter) in rest.iter().zip(parameters) {
                bounds.add(false, quote!(#number: ::retrograd::private::With<#next, Number = #parameter>));
                bounds.add(false, quote!(#parameter: ::core::marker::Copy + 'static));
                number = parameter.to_token_stream();
            }
        }
    }
    if !rest.is_empty() {
        for (base, each) in bases.iter().zip(&numbers) {
            bounds.add(types::is_number(base), quote!(#each: ::retrograd::private::Among<#number>));
        }
    }
    (number, parameters)
}

fn visit(field: &Field, number: &TokenStream, several: bool, shared: bool) -> TokenStream {
    let value = field.value();
    let (value, visit, pass) = match shared {
        true => (quote!(&#value), "visit", quote!(pass)),
        false => (quote!(&mut #value), "visit_mut", quote!(pass_mut)),
    };
    let (function, numbers) = (qualified(&field.ty, visit), qualified(&field.ty, "Number"));
    // A recursive field has the numbers of the struct.
    if !several || field.recursive {
        return quote!(#function(#value, visit););
    }
    let among = quote!(<#numbers as ::retrograd::private::Among<#number>>);
    quote!(#function(#value, &mut |number| #among::#pass(number, visit));)
}
