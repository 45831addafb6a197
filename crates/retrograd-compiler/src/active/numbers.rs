//! `Active` for the type: its shadow, and the numbers that it is made of.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, Type};

use super::implement::{Implement, arguments};
use super::model::{Field, Model, Role, Shape};
use super::own::Own;
use super::types;
use crate::signature::types::read;

/// `Active` for the struct.
///
/// Numbers behind a `&` are not the struct's own: they have a shadow, but cannot be set, and are not visited.
pub(super) fn active(model: &Model) -> TokenStream {
    let active = quote!(::retrograd::private::Active);
    let mut needs = Needs::default();
    let number = number(model, &mut needs);
    let shadow = match &model.shape {
        Shape::Same => {
            needs.bounds.extend(model.generics.type_params().map(|parameter| sized(&parameter.ident)));
            let name = model.name;
            let arguments = arguments(&model.generics, |ident: &Ident| quote!(<#ident as #active>::Shadow));
            quote!(#name<#(#arguments),*>)
        }
        Shape::Own(name) => own_shadow(&Own::new(model, name), &number, &mut needs),
    };
    let visited = |field: &Field| field.role == Role::Active && !field.shared && has_numbers(field);
    let items: Vec<_> =
        model.fields.iter().map(|field| visited(field).then(|| visits(model, field, &number, &mut needs))).collect();
    let visit = |which: usize, reference: TokenStream| {
        model.matched(&quote!(self), &quote!(Self), visited, |apart| {
            let calls = apart.fields.iter().filter_map(|field| {
                let (items, value) = (items[field.number].as_ref()?, field.reached(&reference));
                let visit = &items[which];
                Some(quote!(#visit(#value, visit);))
            });
            calls.collect()
        })
    };
    let (shared, mutable) = (visit(0, quote!(&)), visit(1, quote!(&mut)));
    let meant = meant(model);
    let body = body(&shadow, &number.ty, &quote!(#meant #shared), &mutable);
    let header = Implement::new(&model.generics).scalars(needs.parameters).bounds(needs.bounds);
    let (active, asserted) = (header.body(active, &model.this(), body), asserted(model, &number));
    quote!(#active #asserted)
}

/// Dead code by which rustc checks that the names of inactive types in it mean these types.
fn meant(model: &Model) -> TokenStream {
    let judged: Vec<_> = model.fields.iter().filter(|field| !field.marked).map(|field| read(&field.ty)).collect();
    crate::emit::rust::meant::dead(judged.iter())
}

/// What the `impl` relies on.
#[derive(Default)]
struct Needs {
    parameters: Vec<Ident>,
    bounds: Vec<TokenStream>,
}

/// The type of all numbers in the struct.
struct Number {
    ty: TokenStream,
    origin: Origin,
}

#[derive(Clone, Copy, PartialEq)]
enum Origin {
    /// A field of `f64` or `f32` says so.
    Field,
    /// They are the numbers of the type parameters.
    Parameters,
    /// rustc finds them in the types of the fields, none of which is generic.
    Types,
}

/// All numbers are of one type, or there are none.
fn number(model: &Model, needs: &mut Needs) -> Number {
    let of = |ty: &Type| types::qualified(ty, quote!(::retrograd::private::Active), "Number");
    let with = quote!(::retrograd::private::With);
    let mut bases: Vec<&Type> = Vec::new();
    for base in model.active().filter(|field| !field.recursive).filter_map(|field| types::base(&field.ty)) {
        if !bases.iter().any(|other| types::same(other, base)) {
            bases.push(base);
        }
    }
    if let Some(number) = bases.iter().find(|base| types::is_number(base)) {
        return Number { ty: number.to_token_stream(), origin: Origin::Field };
    }
    // Parameters that are numbers, or have some, say so by themselves. Of several in the types of fields, only those types know which have any.
    let parameters = |found: &dyn Fn(&Ident) -> bool| {
        let idents = model.generics.type_params().map(|parameter| &parameter.ident);
        idents.filter(|ident| found(ident)).map(|ident| syn::parse_quote!(#ident)).collect::<Vec<Type>>()
    };
    let mut found = parameters(&|ident| bases.iter().any(|base| types::same(base, &syn::parse_quote!(#ident))));
    if found.is_empty() {
        found = parameters(&|ident| bases.iter().any(|base| types::mentions(base, ident)));
        if found.len() > 1 && matches!(model.shape, Shape::Own(_)) {
            found = bases.iter().copied().filter(|base| model.is_generic(base)).cloned().collect();
        }
    }
    let Some((first, rest)) = found.split_first() else {
        let sum = |sum: TokenStream, number: TokenStream| quote!(<#sum as #with<#number>>::Number);
        let ty = bases.into_iter().map(of).reduce(sum).unwrap_or(quote!(()));
        return Number { ty, origin: Origin::Types };
    };
    needs.bounds.extend(found.iter().map(sized));
    // Of several parameters, the numbers of the first two together are a parameter, and so on.
    let mut ty = quote!(<#first as ::retrograd::private::Active>::Number);
    for (n, next) in rest.iter().enumerate() {
        let sum = model.stand_in("Numbers", n + 1);
        needs.bounds.push(quote!(#ty: #with<<#next as ::retrograd::private::Active>::Number, Number = #sum>));
        needs.bounds.push(quote!(#sum: ::core::marker::Copy + 'static));
        ty = sum.to_token_stream();
        needs.parameters.push(sum);
    }
    Number { ty, origin: Origin::Parameters }
}

/// The shadow beside the struct, in a sweep over the shadow of its numbers.
fn own_shadow(own: &Own, number: &Number, needs: &mut Needs) -> TokenStream {
    let ty = &number.ty;
    if own.has_scalars && number.origin == Origin::Parameters {
        needs.bounds.push(sized(ty));
    }
    let scalar = quote!(<#ty as ::retrograd::private::Active>::Shadow);
    for (field, bound) in own.needs(&scalar) {
        needs.bounds.extend(relied_on(own.model, &field.ty, bound, number.origin));
    }
    own.ty(&scalar)
}

/// How the numbers of a field are visited, to be read and to be changed.
fn visits(model: &Model, field: &Field, number: &Number, needs: &mut Needs) -> [TokenStream; 2] {
    let ty = &number.ty;
    let base = types::base(&field.ty).map(|base| match types::is_number(base) {
        true => base.to_token_stream(),
        false => quote!(<#base as ::retrograd::private::Active>::Number),
    });
    // Numbers of the same type are handed on as they are. A recursive field has the numbers of the struct.
    let same = base.is_some_and(|base| base.to_string() == ty.to_string());
    if field.recursive || same && types::is_plain(&field.ty, &model.generics) {
        return ["visit", "visit_mut"]
            .map(|item| types::qualified(&field.ty, quote!(::retrograd::private::Active), item));
    }
    let numbers = quote!(::retrograd::private::Numbers<#ty>);
    needs.bounds.extend(relied_on(model, &field.ty, types::bound(&field.ty, numbers.clone()), number.origin));
    ["visit_numbers", "visit_numbers_mut"].map(|item| types::qualified(&field.ty, numbers.clone(), item))
}

/// A bound on the type of a field, where it has to be said.
///
/// Of a type that is not generic it is said as if it were: `for<'g> F: Numbers<f64>`. So rustc relies on it in the `impl`, and a
/// field that is not active gives one error, where it is [`asserted`], and not one at each use.
fn relied_on(model: &Model, ty: &Type, bound: TokenStream, origin: Origin) -> Option<TokenStream> {
    let lifetime = &model.lifetime;
    match model.is_generic(ty) {
        true => Some(bound),
        false if origin == Origin::Types || types::is_plain(ty, &model.generics) => None,
        false => Some(quote!(for<#lifetime> #bound)),
    }
}

/// Where rustc finds out whether derivatives flow through the fields.
fn asserted(model: &Model, number: &Number) -> TokenStream {
    let (mut concrete, mut generic) = (TokenStream::new(), TokenStream::new());
    let unknown = |field: &&Field| !field.recursive && !types::is_plain(&field.ty, &model.generics);
    for Field { ty, .. } in model.active().filter(unknown) {
        let count = types::qualified(ty, quote!(::retrograd::private::Active), "count");
        match (model.is_generic(ty), number.origin) {
            (true, _) => generic.extend(quote!(let _ = #count;)),
            (false, Origin::Types) => {}
            (false, Origin::Parameters) => concrete.extend(quote!(let _ = #count;)),
            (false, Origin::Field) => {
                let (number, each) = (&number.ty, types::qualified(ty, quote!(::retrograd::private::Active), "Number"));
                concrete.extend(quote! {
                    let _ = #count;
                    let _ = <#each as ::retrograd::private::Among<#number>>::pass;
                });
            }
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
                    #[allow(dead_code, clippy::multiple_bound_locations, reason = "only its types are checked, with the bounds as written")]
                    fn fields #parameters () where #(#predicates,)* #parameter: ::retrograd::private::Real { #generic }
                };
            })
        }
        _ => None,
    };
    quote!(#concrete #generic)
}

fn sized(ty: &impl ToTokens) -> TokenStream {
    quote!(#ty: ::retrograd::private::Active<Shadow: ::core::marker::Sized>)
}

fn has_numbers(field: &Field) -> bool {
    field.recursive || types::base(&field.ty).is_some()
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
        #[allow(unused_variables, reason = "a struct may have no active field")]
        fn visit(&self, visit: &mut dyn ::core::ops::FnMut(&Self::Number)) {
            #shared
        }
        #[inline]
        #[allow(unused_variables, reason = "a struct may have no active field")]
        fn visit_mut(&mut self, visit: &mut dyn ::core::ops::FnMut(&mut Self::Number)) {
            #mutable
        }
    }
}
