//! `Shadowed<S>`: the shadow of a struct in a sweep over `S`, field by field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Member;

use super::implement::{Implement, arguments};
use super::model::{Field, Model, Role, Shape};
use super::own::Own;
use super::types;

/// `Shadowed<S>` for the struct, for references to it and for boxes of it.
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
    let parts: Vec<Part> = model.fields.iter().map(|field| part(model, field)).collect();
    let of = quote!(::retrograd::private::Shadowed<#scalar>);
    let own = header.body(of, &this, body(&sweep, &quote!(#name), &ty, &parts));
    let indirect = indirect(model);
    quote!(#own #indirect)
}

/// The shadow of a type parameter.
fn owned(ident: &syn::Ident, scalar: &TokenStream) -> TokenStream {
    quote!(<#ident as ::retrograd::private::Shadowed<#scalar>>::Owned)
}

/// What one field has to do with the shadow.
pub(super) struct Part {
    pub(super) member: Member,
    pub(super) shadow: PartShadow,
}

/// The items of `Field`.
pub(super) const ITEMS: [&str; 4] = ["zeros", "misfit_at", "visit_scalars", "visit_scalars_mut"];

pub(super) enum PartShadow {
    /// This is all that the shadow can be.
    Only(TokenStream),
    /// `<F as Field<S, A>>` with its items, the value in `self`, and whether there are scalars of the sweep in the shadow.
    Field { items: [TokenStream; 4], value: TokenStream, active: bool },
}

fn part(model: &Model, field: &Field) -> Part {
    let scalar = &model.scalar;
    let sweep = quote!(#scalar);
    let by = |shadow: TokenStream| PartShadow::Field {
        items: ITEMS.map(|item| field.shadowed_by(&sweep, &shadow, item)),
        value: field.value(),
        active: field.role == Role::Active,
    };
    let shadow = match (&model.shape, field.role) {
        (Shape::Same, Role::Phantom) => PartShadow::Only(quote!(::core::marker::PhantomData)),
        (Shape::Same, _) => {
            let shadow = types::replaced(&field.ty, &model.generics, |ident| owned(ident, &sweep));
            by(quote!(#shadow))
        }
        (Shape::Own(_), Role::Active | Role::Constants) => by(field.owned(&sweep)),
        (Shape::Own(_), Role::Constant | Role::Inert | Role::Phantom) => PartShadow::Only(field.only()),
    };
    Part { member: field.member.clone(), shadow }
}

/// The items of `Shadowed<scalar>`, where the shadow is a struct `name` of type `ty`.
pub(super) fn body(scalar: &TokenStream, name: &TokenStream, ty: &TokenStream, parts: &[Part]) -> TokenStream {
    let (mut zeros, mut misfits) = (TokenStream::new(), TokenStream::new());
    let (mut scalars, mut scalars_mut) = (TokenStream::new(), TokenStream::new());
    for Part { member, shadow } in parts {
        match shadow {
            PartShadow::Only(zero) => zeros.extend(quote!(#member: #zero,)),
            PartShadow::Field { items: [zero, misfit_at, visit_scalars, visit_scalars_mut], value, active } => {
                zeros.extend(quote!(#member: #zero(&#value, zero),));
                let step = format!(".{}", path_of(member));
                misfits.extend(quote! {
                    if let ::core::option::Option::Some(misfit) = #misfit_at(&#value, &shadow.#member, #step) {
                        return ::core::option::Option::Some(misfit);
                    }
                });
                if *active {
                    scalars.extend(quote!(#visit_scalars(&shadow.#member, visit);));
                    scalars_mut.extend(quote!(#visit_scalars_mut(&mut shadow.#member, visit);));
                }
            }
        }
    }
    quote! {
        type Shadow = #ty;
        type Owned = #ty;

        #[inline(always)]
        #[allow(unused_variables, reason = "a struct may have no active field")]
        fn zero_shadow(&self, zero: ::retrograd::private::Zero) -> #ty {
            #name { #zeros }
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

fn path_of(member: &Member) -> String {
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
