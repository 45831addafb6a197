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
    let mut needs = Needs::default();
    let sources = sources(model, &mut needs);
    let number = together(model, &sources, &mut needs);
    let shadow = match &model.shape {
        Shape::Same => {
            needs.bounds.extend(model.generics.type_params().map(|parameter| sized(&parameter.ident)));
            let name = model.name;
            let arguments = arguments(&model.generics, |ident: &Ident| quote!(<#ident as #active>::Shadow));
            quote!(#name<#(#arguments),*>)
        }
        Shape::Own(name) => own_shadow(&Own::new(model, name), &sources, &number, &mut needs),
    };
    let visits = |shared: bool| -> TokenStream {
        let visited = model.active().filter(|field| !field.shared && has_numbers(field));
        visited.map(|field| visit(field, &sources, &number, shared)).collect()
    };
    let body = body(&shadow, &number, &visits(true), &visits(false));
    let header = Implement::new(&model.generics).scalars(needs.parameters).bounds(needs.bounds);
    let (active, asserted) = (header.body(active, &model.this(), body), asserted(model, &sources, &number));
    quote!(#active #asserted)
}

/// What the `impl` relies on.
#[derive(Default)]
struct Needs {
    parameters: Vec<Ident>,
    bounds: Vec<TokenStream>,
}

/// A type that numbers of the struct belong to.
struct Source<'a> {
    ty: &'a Type,
    kind: Kind,
    /// The type of the numbers.
    number: TokenStream,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// `f64` or `f32`.
    Number,
    /// A type parameter.
    Parameter,
    /// Made of type parameters.
    Generic,
    /// Any other type.
    Concrete,
    /// Any other type, beside which there are several of the kind: rustc has to compute the type of their numbers.
    Computed,
}

/// The types that the numbers of the struct belong to, each once, and that they are active.
fn sources<'a>(model: &'a Model, needs: &mut Needs) -> Vec<Source<'a>> {
    let mut bases: Vec<&Type> = Vec::new();
    for base in model.active().filter(|field| !field.recursive).filter_map(|field| types::base(&field.ty)) {
        if !bases.iter().any(|other| types::same(other, base)) {
            bases.push(base);
        }
    }
    let literal = bases.iter().any(|base| types::is_number(base));
    let several = bases.len() > 1 && !literal;
    let computed = several && !bases.iter().any(|base| model.is_generic(base));
    let parameter = model.parameter().filter(|_| several);
    let source = |(n, ty): (usize, &'a Type)| {
        let kind = match ty {
            _ if computed => Kind::Computed,
            _ if types::is_number(ty) => Kind::Number,
            _ if types::is_parameter(ty, &model.generics) => Kind::Parameter,
            _ if model.is_generic(ty) => Kind::Generic,
            _ => Kind::Concrete,
        };
        let number = match kind {
            Kind::Number => ty.to_token_stream(),
            Kind::Parameter | Kind::Concrete | Kind::Computed => qualified(ty, "Number"),
            Kind::Generic => {
                generic_source(ty, parameter, ["Number", "Shadow"].map(|role| model.stand_in(role, n)), needs)
            }
        };
        match kind {
            Kind::Number | Kind::Generic | Kind::Computed => {}
            Kind::Parameter => needs.bounds.push(sized(ty)),
            Kind::Concrete => needs.bounds.push(as_if_generic(model, sized(ty))),
        }
        Source { ty, kind, number }
    };
    bases.into_iter().enumerate().map(source).collect()
}

/// That a generic type is active. Where it is to have the numbers of the type `parameter`, it has; otherwise some.
fn generic_source(ty: &Type, parameter: Option<&Ident>, stand_ins: [Ident; 2], needs: &mut Needs) -> TokenStream {
    let [number, shadow] = stand_ins;
    let number = match parameter {
        Some(parameter) => {
            needs.bounds.push(sized(parameter));
            quote!(<#parameter as ::retrograd::private::Active>::Number)
        }
        None => {
            needs.bounds.push(quote!(#number: ::core::marker::Copy + 'static));
            needs.parameters.push(number.clone());
            number.to_token_stream()
        }
    };
    needs.bounds.push(quote!(#ty: ::retrograd::private::Active<Number = #number, Shadow = #shadow>));
    needs.parameters.push(shadow);
    number
}

/// The type of the numbers of all fields together: all are of one type, or there are none.
///
/// If no field says which, those of the first two are a parameter, `N0: With<N1, Number = Numbers1>`, and so on.
fn together(model: &Model, sources: &[Source], needs: &mut Needs) -> TokenStream {
    let with = quote!(::retrograd::private::With);
    let literal = sources.iter().find(|source| source.kind == Kind::Number);
    let of_the_parameter = || {
        let generic = |source: &&Source| matches!(source.kind, Kind::Parameter | Kind::Generic);
        sources.iter().find(generic).filter(|_| model.parameter().is_some())
    };
    let number = match (literal.or_else(of_the_parameter), sources) {
        (Some(source), _) => source.number.clone(),
        (None, []) => quote!(()),
        (None, [first, rest @ ..]) if first.kind == Kind::Computed => {
            rest.iter().fold(first.number.clone(), |sum, source| {
                let number = &source.number;
                quote!(<#sum as #with<#number>>::Number)
            })
        }
        (None, [first, rest @ ..]) => {
            let mut sum = first.number.clone();
            for (n, Source { number, .. }) in rest.iter().enumerate() {
                let next = model.stand_in("Numbers", n + 1);
                needs.bounds.push(quote!(#sum: #with<#number, Number = #next>));
                needs.bounds.push(quote!(#next: ::core::marker::Copy + 'static));
                sum = next.to_token_stream();
                needs.parameters.push(next);
            }
            sum
        }
    };
    for source in sources.iter().filter(|source| !is(&source.number, &number)) {
        let each = &source.number;
        let bound = quote!(#each: ::retrograd::private::Among<#number>);
        match source.kind {
            Kind::Number | Kind::Computed => {}
            Kind::Parameter | Kind::Generic => needs.bounds.push(bound),
            Kind::Concrete => needs.bounds.push(as_if_generic(model, bound)),
        }
    }
    number
}

/// The shadow beside the struct, in a sweep over the shadow of its numbers.
fn own_shadow(own: &Own, sources: &[Source], number: &TokenStream, needs: &mut Needs) -> TokenStream {
    let active = quote!(::retrograd::private::Active);
    let known = !own.has_scalars || sources.iter().any(|source| matches!(source.kind, Kind::Number | Kind::Computed));
    let concrete = sources.iter().all(|source| source.kind == Kind::Concrete);
    match sized(number) {
        _ if known || sources.is_empty() => {}
        bound if concrete => needs.bounds.push(as_if_generic(own.model, bound)),
        bound => needs.bounds.push(bound),
    }
    let scalar = quote!(<#number as #active>::Shadow);
    let computed = sources.iter().any(|source| source.kind == Kind::Computed);
    for (field, bound) in own.needs(&scalar) {
        match own.model.is_generic(&field.ty) {
            true => needs.bounds.push(bound),
            false if computed || types::is_plain(&field.ty, &own.model.generics) => {}
            false => needs.bounds.push(as_if_generic(own.model, bound)),
        }
    }
    own.ty(&scalar)
}

/// What is said of a type that is not generic, as if it were: `for<'g> F: Active`.
///
/// So rustc relies on it in the `impl`, and a field that is not active gives one error, where it is [`asserted`], and not one at
/// each use.
fn as_if_generic(model: &Model, bound: TokenStream) -> TokenStream {
    let lifetime = &model.lifetime;
    quote!(for<#lifetime> #bound)
}

/// Where rustc finds out whether the types of the fields are active.
fn asserted(model: &Model, sources: &[Source], number: &TokenStream) -> TokenStream {
    let literal = sources.iter().any(|source| source.kind == Kind::Number);
    let (mut concrete, mut generic) = (TokenStream::new(), TokenStream::new());
    for Source { ty, kind, number: each } in sources {
        let count = qualified(ty, "count");
        match kind {
            Kind::Number | Kind::Parameter | Kind::Computed => {}
            Kind::Concrete => {
                let among = (literal || sources.len() == 1)
                    .then(|| quote!(let _ = <#each as ::retrograd::private::Among<#number>>::pass;));
                concrete.extend(quote!(let _ = #count; #among));
            }
            Kind::Generic => generic.extend(quote!(let _ = #count;)),
        }
    }
    let concrete = (!concrete.is_empty()).then(|| quote!(const _: () = { #concrete };));
    // A struct that is its own shadow asserts more.
    let generic = match (&model.shape, model.parameter()) {
        (Shape::Own(_), Some(parameter)) if !generic.is_empty() => {
            let (parameters, _, clause) = model.generics.split_for_impl();
            let predicates = clause.iter().flat_map(|clause| &clause.predicates);
            Some(quote! {
                const _: () = {
                    #[allow(dead_code, clippy::multiple_bound_locations)]
                    fn fields #parameters () where #(#predicates,)* #parameter: ::retrograd::private::Real { #generic }
                };
            })
        }
        _ => None,
    };
    quote!(#concrete #generic)
}

/// `<ty as Active>::item`.
fn qualified(ty: &Type, item: &str) -> TokenStream {
    types::qualified(ty, quote!(::retrograd::private::Active), item)
}

fn sized(ty: &impl ToTokens) -> TokenStream {
    quote!(#ty: ::retrograd::private::Active<Shadow: ::core::marker::Sized>)
}

fn is(one: &TokenStream, other: &TokenStream) -> bool {
    one.to_string() == other.to_string()
}

/// The items of `Active`.
pub(super) fn body(
    shadow: &TokenStream,
    number: &TokenStream,
    shared: &TokenStream,
    mutable: &TokenStream,
) -> TokenStream {
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

fn visit(field: &Field, sources: &[Source], number: &TokenStream, shared: bool) -> TokenStream {
    let value = field.value();
    let (value, visit, pass) = match shared {
        true => (quote!(&#value), "visit", "pass"),
        false => (quote!(&mut #value), "visit_mut", "pass_mut"),
    };
    let function = qualified(&field.ty, visit);
    let base = types::base(&field.ty).filter(|_| !field.recursive);
    let source = base.and_then(|base| sources.iter().find(|source| types::same(source.ty, base)));
    // A recursive field has the numbers of the struct.
    match source.filter(|source| !is(&source.number, number)) {
        None => quote!(#function(#value, visit);),
        Some(source) => {
            let of: Type = syn::Type::Verbatim(source.number.clone());
            let pass = types::qualified(&of, quote!(::retrograd::private::Among<#number>), pass);
            quote!(#function(#value, &mut |number| #pass(number, visit));)
        }
    }
}
