//! `Shadowed<S>`: the shadow of a struct or enum in a sweep over `S`, field by field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Member;

use super::implement::{Implement, arguments};
use super::model::{Field, Model, Role, Shape};
use super::own::Own;
use super::types;

/// `Shadowed<S>` for the type, for references to it and for boxes of it.
pub(super) fn shadowed(model: &Model) -> TokenStream {
    let scalar = &model.scalar;
    let this = model.this();
    let sweep = quote!(#scalar);
    let header = Implement::new(&model.generics).scalars([scalar.clone()]);
    let (name, ty, header) = match &model.shape {
        Shape::Same => {
            let name = model.name;
            let arguments = arguments(&model.generics, |ident| owned(ident, &sweep));
            let bound = |parameter: &syn::TypeParam| {
                let ident = &parameter.ident;
                quote!(#ident: ::retrograd::private::Shadowed<#scalar>)
            };
            (name, quote!(#name<#(#arguments),*>), header.bounds(model.generics.type_params().map(bound)))
        }
        Shape::Own(name) => {
            let own = Own::new(model, name);
            (name, own.ty(&sweep), header.bounds(own.bounds(&sweep)))
        }
    };
    let of = quote!(::retrograd::private::Shadowed<#scalar>);
    let own = header.body(of, &this, body(model, &sweep, &quote!(#name), &ty, |field| part(model, field)));
    let indirect = indirect(model);
    quote!(#own #indirect)
}

/// The shadow of a type parameter.
fn owned(ident: &syn::Ident, scalar: &TokenStream) -> TokenStream {
    quote!(<#ident as ::retrograd::private::Shadowed<#scalar>>::Owned)
}

/// The items of `Field`.
pub(super) const ITEMS: [&str; 4] = ["zeros", "misfit_at", "visit_scalars", "visit_scalars_mut"];

/// What one field has to do with the shadow.
pub(super) enum Part {
    /// This is all that the shadow can be.
    Only(TokenStream),
    /// What is made of the value, by its name.
    Made(TokenStream),
    /// `<F as Field<S, A>>` with its items, a reference to the value, and whether there are scalars of the sweep in the shadow.
    Field { items: [TokenStream; 4], value: TokenStream, active: bool },
}

fn part(model: &Model, field: &Field) -> Part {
    let scalar = &model.scalar;
    let sweep = quote!(#scalar);
    let by = |shadow: TokenStream| Part::Field {
        items: ITEMS.map(|item| field.shadowed_by(&sweep, &shadow, item)),
        value: field.reached(&quote!(&)),
        active: field.role == Role::Active,
    };
    match (&model.shape, field.role) {
        (Shape::Same, Role::Phantom) => Part::Only(quote!(::core::marker::PhantomData)),
        (Shape::Same, _) => {
            let shadow = types::replaced(&field.ty, &model.generics, |ident| owned(ident, &sweep));
            by(quote!(#shadow))
        }
        (Shape::Own(_), Role::Active | Role::Constants) => by(field.owned(&sweep)),
        (Shape::Own(_), Role::Constant | Role::Inert | Role::Phantom) => Part::Only(field.only()),
    }
}

/// The items of `Shadowed<scalar>`, where the shadow is a struct or enum `name` of type `ty`, and each field of it a `part`.
pub(super) fn body(
    model: &Model,
    scalar: &TokenStream,
    name: &TokenStream,
    ty: &TokenStream,
    part: impl Fn(&Field) -> Part,
) -> TokenStream {
    let (this, parts) = (quote!(Self), model.fields.iter().map(part).collect::<Vec<Part>>());
    let of = |field: &Field| &parts[field.number];
    let has_scalars = |field: &Field| matches!(of(field), Part::Field { active: true, .. });
    let compared = |field: &Field| matches!(of(field), Part::Field { .. });
    let zeros = model.matched(
        &quote!(self),
        &this,
        |field| !matches!(of(field), Part::Only(_)),
        |apart| {
            apart.made(name, |field| match of(field) {
                Part::Only(only) | Part::Made(only) => only.clone(),
                Part::Field { items: [zero, ..], value, .. } => quote!(#zero(#value, zero)),
            })
        },
    );
    let misfit = |field: &Field| match of(field) {
        Part::Field { items: [_, misfit_at, ..], value, .. } => {
            let (other, step) = (&field.other, format!(".{}", path_of(&field.member)));
            Some(quote! {
                if let ::core::option::Option::Some(misfit) = #misfit_at(#value, #other, #step) {
                    return ::core::option::Option::Some(misfit);
                }
            })
        }
        Part::Only(_) | Part::Made(_) => None,
    };
    let names = |value: TokenStream, of: &TokenStream| {
        model.matched(
            &value,
            of,
            |_| false,
            |apart| {
                let name = apart.name(model.name);
                quote!(#name)
            },
        )
    };
    let (expected, actual) = (names(quote!(self), &this), names(quote!(shadow), name));
    let misfits = model.matched_pair(
        (quote!(self), &this),
        (quote!(shadow), name),
        [&compared, &compared],
        |apart| apart.fields.iter().filter_map(|field| misfit(field)).collect(),
        quote!(return ::core::option::Option::Some(::retrograd::private::Misfit::of_variants(#expected, #actual))),
    );
    let visits = |item: usize| {
        model.matched(&quote!(shadow), name, has_scalars, |apart| {
            let visit = |field: &&Field| match of(field) {
                Part::Field { items, active: true, .. } => {
                    let (visit, name) = (&items[item], &field.name);
                    Some(quote!(#visit(#name, visit);))
                }
                _ => None,
            };
            apart.fields.iter().filter_map(visit).collect()
        })
    };
    let (scalars, scalars_mut) = (visits(2), visits(3));
    quote! {
        type Shadow = #ty;
        type Owned = #ty;

        #[inline(always)]
        #[allow(unused_variables, reason = "a struct may have no active field")]
        fn zero_shadow(&self, zero: ::retrograd::private::Zero) -> #ty {
            #zeros
        }
        #[inline]
        #[allow(unused_variables, reason = "a struct may have no active field")]
        fn misfit(&self, shadow: &#ty) -> ::core::option::Option<::retrograd::private::Misfit> {
            #misfits
            ::core::option::Option::None
        }
        #[inline]
        #[allow(unused_variables, reason = "a struct may have no active field")]
        fn scalars(shadow: &#ty, visit: &mut dyn ::core::ops::FnMut(&#scalar)) {
            #scalars
        }
        #[inline]
        #[allow(unused_variables, reason = "a struct may have no active field")]
        fn scalars_mut(shadow: &mut #ty, visit: &mut dyn ::core::ops::FnMut(&mut #scalar)) {
            #scalars_mut
        }
    }
}

/// The name of a field, as text.
pub(super) fn path_of(member: &Member) -> String {
    match member {
        Member::Named(ident) => ident.to_string().trim_start_matches("r#").to_owned(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// A reference is shadowed like the struct, and a box by a box. Only the crate of the struct can say so.
fn indirect(model: &Model) -> TokenStream {
    let (scalar, this, params) = (&model.scalar, model.this(), model.generics.params.iter());
    let predicates = model.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let of = quote!([#(#params,)*] #scalar, #this, where #(#predicates,)*);
    quote! {
        ::retrograd::private::shadowed_reference! { #of }
        ::retrograd::private::shadowed_box! { #of }
    }
}

/// After an error: a shadow of nothing, so that one mistake gives one message.
pub(super) fn inert(item: &syn::DeriveInput) -> TokenStream {
    let name = &item.ident;
    let (_, arguments, _) = item.generics.split_for_impl();
    let (this, unit) = (quote!(#name #arguments), quote!(()));
    let mut generics = item.generics.clone();
    generics.type_params_mut().for_each(|parameter| parameter.default = None);
    let scalar = syn::Ident::new("RetrogradScalar", name.span());
    let active = quote! {
        type Shadow = ();
        type Number = ();
        fn visit(&self, _: &mut dyn ::core::ops::FnMut(&())) {}
        fn visit_mut(&mut self, _: &mut dyn ::core::ops::FnMut(&mut ())) {}
    };
    let active = Implement::new(&generics).body(quote!(::retrograd::private::Active), &this, active);
    let shadowed = quote! {
        type Shadow = ();
        type Owned = ();
        const INERT: bool = true;
        fn zero_shadow(&self, _: ::retrograd::private::Zero) {}
        fn misfit(&self, _: &()) -> ::core::option::Option<::retrograd::private::Misfit> {
            ::core::option::Option::None
        }
        fn scalars(_: &#unit, _: &mut dyn ::core::ops::FnMut(&#scalar)) {}
        fn scalars_mut(_: &mut #unit, _: &mut dyn ::core::ops::FnMut(&mut #scalar)) {}
    };
    let of = quote!(::retrograd::private::Shadowed<#scalar>);
    let shadowed = Implement::new(&generics).scalars([scalar.clone()]).body(of, &this, shadowed);
    quote!(#active #shadowed)
}
