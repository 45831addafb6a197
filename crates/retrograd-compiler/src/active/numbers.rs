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
    let qualified = bases.iter().map(|base| types::qualified(base, active.clone()));
    let numbers: Vec<TokenStream> = qualified.map(|base| quote!(#base::Number)).collect();
    let sized = |ty: &dyn ToTokens| {
        let ty = ty.to_token_stream();
        quote!(#ty: #active<Shadow: ::core::marker::Sized>)
    };
    let mut bounds: Vec<TokenStream> = bases.iter().map(|base| sized(base)).collect();
    let together = together(model, &numbers);
    bounds.extend(together.bounds);
    let number = together.number;
    let shadow = match &model.shape {
        Shape::Same => {
            bounds.extend(model.generics.type_params().map(|parameter| sized(&parameter.ident)));
            let name = model.name;
            let arguments = arguments(&model.generics, |ident: &Ident| quote!(<#ident as #active>::Shadow));
            quote!(#name<#(#arguments),*>)
        }
        Shape::Own(name) => {
            let own = Own::new(model, name);
            let scalar = quote!(<#number as #active>::Shadow);
            bounds.extend(own.has_scalars.then(|| sized(&number)));
            bounds.extend(own.bounds(&scalar));
            own.ty(&scalar)
        }
    };
    let several = numbers.len() > 1;
    let visits = |shared: bool| -> TokenStream {
        let visited = model.active().filter(|field| !field.shared && has_numbers(field));
        visited.map(|field| visit(field, &number, several, shared)).collect()
    };
    let bounds = bounds.into_iter().filter(|bound| model.is_generic(bound));
    let header = together.parameters.iter().fold(Implement::new(&model.generics), Implement::scalar);
    header.bounds(bounds).body(active, &model.this(), body(&shadow, &number, &visits(true), &visits(false)))
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

/// The type of the numbers of all fields together.
struct Together<'a> {
    number: TokenStream,
    /// Parameters that the bounds determine.
    parameters: &'a [Ident],
    bounds: Vec<TokenStream>,
}

/// All numbers are of one type, or there are none.
///
/// In a generic struct, the numbers of the first two fields together are a parameter, `N0: With<N1, Number = Numbers1>`, and so
/// on; a projection in its place, `<N0 as With<N1>>::Number`, would be one that rustc does not find the bound of.
fn together<'a>(model: &'a Model, numbers: &[TokenStream]) -> Together<'a> {
    let with = quote!(::retrograd::private::With);
    let Some((first, rest)) = numbers.split_first() else {
        return Together { number: quote!(()), parameters: &[], bounds: Vec::new() };
    };
    if !numbers.iter().any(|number| model.is_generic(number)) {
        let number = rest.iter().fold(first.clone(), |sum, number| quote!(<#sum as #with<#number>>::Number));
        return Together { number, parameters: &[], bounds: Vec::new() };
    }
    let parameters = &model.together[..rest.len()];
    let sums: Vec<TokenStream> = std::iter::once(first.clone()).chain(parameters.iter().map(Ident::to_token_stream)).collect();
    let number = sums.last().unwrap_or(first).clone();
    let chain = sums.iter().zip(rest.iter().zip(parameters));
    let mut bounds: Vec<TokenStream> =
        chain.map(|(sum, (number, next))| quote!(#sum: #with<#number, Number = #next>)).collect();
    if !rest.is_empty() {
        bounds.extend(numbers.iter().map(|each| quote!(#each: ::retrograd::private::Among<#number>)));
        bounds.push(quote!(#number: ::core::marker::Copy + 'static));
    }
    Together { number, parameters, bounds }
}

fn visit(field: &Field, number: &TokenStream, several: bool, shared: bool) -> TokenStream {
    let value = field.value();
    let (value, visit, pass) = match shared {
        true => (quote!(&#value), quote!(visit), quote!(pass)),
        false => (quote!(&mut #value), quote!(visit_mut), quote!(pass_mut)),
    };
    let of = types::qualified(&field.ty, quote!(::retrograd::private::Active));
    // A recursive field has the numbers of the struct.
    if !several || field.recursive {
        return quote!(#of::#visit(#value, visit););
    }
    let among = quote!(<#of::Number as ::retrograd::private::Among<#number>>);
    quote!(#of::#visit(#value, &mut |number| #among::#pass(number, visit));)
}
