//! `Active` for the struct: its shadow, and the numbers that it is made of.

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
    let sources = sources(model);
    let mut bounds = Bounds { model, list: Vec::new() };
    let (number, parameters) = together(&sources, &mut bounds);
    sources.iter().for_each(|source| bounds.add(source.is_number(), source.bound.clone()));
    let shadow = match &model.shape {
        Shape::Same => {
            model.generics.type_params().for_each(|parameter| bounds.add(false, sized(&parameter.ident)));
            let name = model.name;
            let arguments = arguments(&model.generics, |ident: &Ident| quote!(<#ident as #active>::Shadow));
            quote!(#name<#(#arguments),*>)
        }
        Shape::Own(name) => {
            let own = Own::new(model, name);
            let scalar = quote!(<#number as #active>::Shadow);
            bounds.add(!own.has_scalars || literal(&sources).is_some(), sized(&number));
            own.needs(&scalar).into_iter().for_each(|(known, bound)| bounds.add(known, bound));
            own.ty(&scalar)
        }
    };
    let visits = |shared: bool| -> TokenStream {
        let visited = model.active().filter(|field| !field.shared && has_numbers(field));
        visited.map(|field| visit(field, &number, sources.len() > 1, shared)).collect()
    };
    let header = parameters.iter().fold(Implement::new(&model.generics), Implement::scalar).bounds(bounds.list);
    let body = body(&shadow, &number, &visits(true), &visits(false));
    let (active, asserted) = (header.body(active, &model.this(), body), asserted(model, &sources));
    quote!(#active #asserted)
}

/// A type that numbers of the struct belong to.
struct Source {
    ty: Type,
    /// That it is active.
    bound: TokenStream,
}

impl Source {
    /// Whether it is `f64` or `f32`.
    fn is_number(&self) -> bool {
        types::is_number(&self.ty)
    }

    /// The type of the numbers.
    fn number(&self) -> TokenStream {
        match self.is_number() {
            true => self.ty.to_token_stream(),
            false => qualified(&self.ty, "Number"),
        }
    }
}

/// The types that the numbers of the struct belong to, each once.
fn sources(model: &Model) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    let fields = model.active().filter(|field| !field.recursive);
    for base in fields.filter_map(|field| types::base(&field.ty)) {
        let ty = model.subject(base);
        // What is made of the parameter may need its numbers to be some.
        let bound = match types::same(&ty, base) {
            true => sized(&ty),
            false => quote! {
                #ty: ::retrograd::private::Active<Shadow: ::core::marker::Sized, Number: ::retrograd::private::Real>
            },
        };
        match sources.iter_mut().find(|source| types::same(&source.ty, &ty)) {
            None => sources.push(Source { ty, bound }),
            Some(source) if !types::same(&ty, base) => source.bound = bound,
            Some(_) => {}
        }
    }
    sources
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
fn asserted(model: &Model, sources: &[Source]) -> TokenStream {
    let among = quote!(::retrograd::private::Among);
    let concrete = || sources.iter().filter(|source| !model.is_generic(&source.ty));
    let number = match literal(sources) {
        Some(source) => source.number(),
        None => concrete().map(Source::number).reduce(with).unwrap_or_default(),
    };
    let assertions = concrete().filter(|source| !source.is_number()).map(|source| {
        let (count, number_of) = (qualified(&source.ty, "count"), source.number());
        quote! {
            let _ = #count;
            let _ = <#number_of as #among<#number>>::pass;
        }
    });
    let assertions: TokenStream = assertions.collect();
    (!assertions.is_empty()).then(|| quote!(const _: () = { #assertions };)).unwrap_or_default()
}

/// `<ty as Active>::item`.
fn qualified(ty: &Type, item: &str) -> TokenStream {
    types::qualified(ty, quote!(::retrograd::private::Active), item)
}

/// The numbers of two fields together.
fn with(sum: TokenStream, number: TokenStream) -> TokenStream {
    quote!(<#sum as ::retrograd::private::With<#number>>::Number)
}

/// The source that says the type of all numbers, if there is one.
fn literal(sources: &[Source]) -> Option<&Source> {
    sources.iter().find(|source| source.is_number())
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

fn has_numbers(field: &Field) -> bool {
    field.recursive || types::base(&field.ty).is_some()
}

/// The type of the numbers of all fields together, and the parameters that are needed for it.
///
/// All numbers are of one type, or there are none. If no field says which, the numbers of the first two fields together are a
/// parameter, `N0: With<N1, Number = Numbers1>`, and so on; a projection in its place, `<N0 as With<N1>>::Number`, would be one
/// that rustc does not find the bound of.
fn together<'a>(sources: &[Source], bounds: &mut Bounds<'a>) -> (TokenStream, &'a [Ident]) {
    let numbers: Vec<TokenStream> = sources.iter().map(Source::number).collect();
    let Some((first, rest)) = numbers.split_first() else { return (quote!(()), &[]) };
    let (mut number, mut parameters) = (first.clone(), &[][..]);
    match literal(sources) {
        Some(literal) => number = literal.number(),
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
        for (source, each) in sources.iter().zip(&numbers) {
            bounds.add(source.is_number(), quote!(#each: ::retrograd::private::Among<#number>));
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
