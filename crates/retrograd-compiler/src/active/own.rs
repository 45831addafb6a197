//! The shadow of a struct as a struct of its own.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Generics, Ident, Member};

use super::implement::{Implement, arguments};
use super::model::{Field, Model, Role, Style};
use super::shadowed::{self, Part, PartShadow};
use super::{arithmetic, types};

/// The shadow of a struct: one field for each of its fields.
pub(super) struct Own<'a> {
    pub(super) model: &'a Model<'a>,
    pub(super) name: &'a Ident,
    /// The parameters of the struct that the shadow mentions; rustc wants no others.
    pub(super) generics: Generics,
    /// Whether there is a scalar in it at all.
    pub(super) has_scalars: bool,
}

impl<'a> Own<'a> {
    pub(super) fn new(model: &'a Model<'a>, name: &'a Ident) -> Own<'a> {
        let used: BTreeSet<String> = model.shadowed().flat_map(|field| types::names(&field.ty)).collect();
        let all: BTreeSet<String> = model.generics.params.iter().map(types::parameter).collect();
        let fits = |syntax: &dyn ToTokens| {
            let names = types::names(&syntax.to_token_stream());
            names.iter().all(|name| used.contains(name) || !all.contains(name))
        };
        let mut generics = model.generics.clone();
        generics.params = generics.params.into_iter().filter(|p| used.contains(&types::parameter(p))).collect();
        for parameter in generics.type_params_mut() {
            parameter.bounds = std::mem::take(&mut parameter.bounds).into_iter().filter(|bound| fits(bound)).collect();
        }
        if let Some(clause) = &mut generics.where_clause {
            let predicates = std::mem::take(&mut clause.predicates);
            clause.predicates = predicates.into_iter().filter(|predicate| fits(predicate)).collect();
        }
        Own { model, name, generics, has_scalars: model.active().next().is_some() }
    }

    /// The shadow as a type, in a sweep over `scalar`.
    pub(super) fn ty(&self, scalar: &TokenStream) -> TokenStream {
        let name = self.name;
        let mut arguments = arguments(&self.generics, Ident::to_token_stream);
        arguments.extend(self.has_scalars.then(|| scalar.clone()));
        quote!(#name<#(#arguments),*>)
    }

    /// What the shadow needs of each field in a sweep over `scalar`.
    pub(super) fn needs(&self, scalar: &TokenStream) -> Vec<(&Field<'a>, TokenStream)> {
        let need = |field: &'a Field<'a>| {
            let scalar = field.scalar(scalar);
            (field, types::bound(&field.ty, quote!(::retrograd::private::Shadowed<#scalar>)))
        };
        self.model.shadowed().filter(|field| !field.recursive).map(need).collect()
    }

    /// The same as bounds, where it is not known of a constant field.
    pub(super) fn bounds(&self, scalar: &TokenStream) -> Vec<TokenStream> {
        let needs = self.needs(scalar).into_iter().filter(|(field, _)| self.is_bounded(field));
        needs.map(|(_, bound)| bound).collect()
    }

    /// Whether bounds on the shadow of the field are no trivial ones.
    fn is_bounded(&self, field: &Field) -> bool {
        !field.recursive && (field.role == Role::Active || self.model.is_generic(&field.ty))
    }

    /// `impl<.., S> .. where ..` for the shadow, with a parameter for the type of each field, where the types have what `bound` says.
    pub(super) fn header(&self, bound: impl Fn(&Field, &Ident) -> Vec<TokenStream>) -> Implement<'_> {
        let scalar = &self.model.scalar;
        let mut header = Implement::new(&self.generics).scalars(self.has_scalars.then(|| scalar.clone()));
        for field in self.model.shadowed().filter(|field| self.is_bounded(field)) {
            let (ty, owned, scalar) = (&field.ty, self.stand_in("Owned", field), field.scalar(&quote!(#scalar)));
            let shadowed = quote!(#ty: ::retrograd::private::Shadowed<#scalar, Owned = #owned>);
            header = header.bounds([shadowed]).bounds(bound(field, &owned));
            if !header.scalars.contains(&owned) {
                header = header.scalars([owned]);
            }
        }
        header
    }

    /// A parameter for a type that belongs to the field: the same for fields of one type.
    fn stand_in(&self, role: &str, field: &Field) -> Ident {
        let fields = &self.model.fields;
        let first = fields.iter().position(|other| other.role == field.role && types::same(&other.ty, &field.ty));
        self.model.stand_in(role, first.unwrap_or_default())
    }

    /// The shadow as a type, in the sweep that its own parameter names.
    pub(super) fn this(&self) -> TokenStream {
        let scalar = &self.model.scalar;
        self.ty(&quote!(#scalar))
    }

    /// The type of a field.
    pub(super) fn field(&self, field: &Field) -> TokenStream {
        let scalar = &self.model.scalar;
        match field.role {
            Role::Active | Role::Constant => field.owned(&quote!(#scalar)),
            Role::Inert | Role::Phantom => quote!(()),
        }
    }
}

/// The struct, and everything that it can.
pub(super) fn shadow(model: &Model, name: &Ident) -> TokenStream {
    let own = Own::new(model, name);
    let (item, standard) = (item(&own), standard(&own));
    let (arithmetic, active, shadowed) = (arithmetic::own(&own), active(&own), shadow_of_shadow(&own));
    quote!(#item #standard #arithmetic #active #shadowed)
}

fn item(own: &Own) -> TokenStream {
    let Own { model, name, .. } = own;
    let (vis, scalar) = (model.vis, &model.scalar);
    let fields = model.fields.iter().map(|field| {
        let (vis, ty) = (field.vis, own.field(field));
        let member = field.member.to_token_stream();
        let doc = match field.role {
            Role::Active => format!("The shadow of `{member}`."),
            Role::Constant => format!("No derivative flows through `{member}`: its shape, and nothing in it."),
            Role::Inert | Role::Phantom => format!("No derivative flows through `{member}`."),
        };
        match &field.member {
            Member::Named(ident) => quote!(#[doc = #doc] #vis #ident: #ty),
            Member::Unnamed(_) => quote!(#[doc = #doc] #vis #ty),
        }
    });
    let bounds = own.bounds(&quote!(#scalar));
    let predicates = own.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let clause = quote!(where #(#predicates,)* #(#bounds,)*);
    let body = match model.style {
        Style::Named => quote!(#clause { #(#fields,)* }),
        Style::Tuple => quote!((#(#fields,)*) #clause;),
        Style::Unit => quote!(#clause;),
    };
    // With one type parameter, the scalar is the shadow of that.
    let mut types = own.generics.type_params();
    let default = types.next().filter(|_| types.next().is_none()).map(|parameter| {
        let ident = &parameter.ident;
        quote!(= <#ident as ::retrograd::private::Active>::Shadow)
    });
    let params = own.generics.params.iter();
    let scalar = own.has_scalars.then(|| quote!(#scalar #default));
    let doc = format!("The shadow of [`{}`]: an adjoint or a tangent of it.", model.name);
    quote! {
        #[doc = #doc]
        #[allow(private_bounds, private_interfaces)]
        #vis struct #name<#(#params,)* #scalar> #body
    }
}

/// `Clone`, `Copy`, `Debug`, `Default` and `PartialEq`, where the shadows of the fields have them.
fn standard(own: &Own) -> TokenStream {
    let model = own.model;
    let this = own.this();
    let make = |of: TokenStream, body: TokenStream| {
        let header = own.header(|_, owned| vec![quote!(#owned: #of)]);
        header.body(of.clone(), &this, body)
    };
    let members: Vec<&Member> = model.fields.iter().map(|field| &field.member).collect();
    let clone = quote! {
        #[inline]
        fn clone(&self) -> Self {
            Self { #(#members: ::core::clone::Clone::clone(&self.#members),)* }
        }
    };
    let name = own.name.to_string();
    let format = match model.style {
        Style::Named => {
            let names = members.iter().map(|member| member.to_token_stream().to_string());
            quote!(formatter.debug_struct(#name) #(.field(#names, &self.#members))* .finish())
        }
        Style::Tuple | Style::Unit => quote!(formatter.debug_tuple(#name) #(.field(&self.#members))* .finish()),
    };
    let debug = quote! {
        fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            #format
        }
    };
    let default = quote! {
        fn default() -> Self {
            Self { #(#members: ::core::default::Default::default(),)* }
        }
    };
    let equal = quote! {
        #[allow(clippy::unit_cmp, unused_variables)]
        fn eq(&self, other: &Self) -> bool {
            true #(&& self.#members == other.#members)*
        }
    };
    // A struct that contains itself does so on the heap.
    let on_the_heap = |field: &Field| {
        let constant = field.role == Role::Constant && !model.is_generic(&field.ty);
        field.recursive || constant && !types::is_in_place(&field.ty)
    };
    let copy = (!model.fields.iter().any(on_the_heap)).then(|| make(quote!(::core::marker::Copy), quote!()));
    [
        copy.unwrap_or_default(),
        make(quote!(::core::clone::Clone), clone),
        make(quote!(::core::fmt::Debug), debug),
        make(quote!(::core::default::Default), default),
        make(quote!(::core::cmp::PartialEq), equal),
    ]
    .into_iter()
    .collect()
}

/// The numbers of a shadow are those of its scalars.
fn active(own: &Own) -> TokenStream {
    let model = own.model;
    let scalar = &model.scalar;
    let (active, sweep, next) = (quote!(::retrograd::private::Active), quote!(#scalar), model.stand_in("Shadow", 0));
    let mut header = own.header(|_, _| vec![]);
    let (ty, number) = match own.has_scalars {
        true => {
            let bounds = own.bounds(&quote!(#next)).into_iter().chain([quote!(#scalar: #active<Shadow = #next>)]);
            header = header.scalars([next.clone()]).bounds(bounds);
            (own.ty(&quote!(#next)), quote!(<#scalar as #active>::Number))
        }
        false => (own.this(), quote!(())),
    };
    let visits = |shared: bool| {
        let visit = |field: &Field| {
            let (visit_scalars, borrow, visit) = match shared {
                true => ("visit_scalars", quote!(&), quote!(visit)),
                false => ("visit_scalars_mut", quote!(&mut), quote!(visit_mut)),
            };
            let member = &field.member;
            let visit_scalars = field.shadowed_by(&sweep, &own.field(field), visit_scalars);
            quote!(#visit_scalars(#borrow self.#member, &mut |scalar| <#scalar as #active>::#visit(scalar, visit));)
        };
        model.active().map(visit).collect::<TokenStream>()
    };
    let (shared, mutable) = (visits(true), visits(false));
    header.body(active, &own.this(), super::numbers::body(&ty, &number, &shared, &mutable))
}

/// The shadow of the shadow is the shadow in a sweep over the shadow of its scalar.
fn shadow_of_shadow(own: &Own) -> TokenStream {
    let model = own.model;
    let (scalar, second, next) = (&model.scalar, &model.second, model.stand_in("Next", model.fields.len()));
    let of = quote!(::retrograd::private::Shadowed<#second>);
    let mut header = own.header(|field, owned| {
        let (ty, after) = (&field.ty, own.stand_in("Next", field));
        match field.role {
            Role::Active => vec![
                quote!(#owned: ::retrograd::private::Shadowed<#second, Owned = #after>),
                quote!(#ty: ::retrograd::private::Shadowed<#next, Owned = #after>),
            ],
            Role::Constant | Role::Inert | Role::Phantom => vec![quote!(#owned: ::core::clone::Clone)],
        }
    });
    for field in model.active().filter(|field| own.is_bounded(field)) {
        let after = own.stand_in("Next", field);
        if !header.scalars.contains(&after) {
            header = header.scalars([after]);
        }
    }
    header = header.scalars([second.clone()]);
    if own.has_scalars {
        let bound = quote!(#scalar: ::retrograd::private::Shadowed<#second, Owned = #next>);
        header = header.scalars([next.clone()]).bounds([bound]);
    }
    let part = |field: &Field| {
        let (member, value) = (field.member.clone(), field.member.to_token_stream());
        let (value, shadow) = (quote!(self.#value), own.field(field));
        let shadow = match field.role {
            Role::Active => {
                let next = field.owned(&quote!(#next));
                let items = shadowed::ITEMS.map(|item| {
                    let item = Ident::new(item, proc_macro2::Span::call_site());
                    quote!(<#shadow as ::retrograd::private::Field<#second, #next>>::#item)
                });
                PartShadow::Field { items, value, active: true }
            }
            Role::Constant => PartShadow::Only(quote!(::core::clone::Clone::clone(&#value))),
            Role::Inert | Role::Phantom => PartShadow::Only(quote!(())),
        };
        Part { member, shadow }
    };
    let parts: Vec<Part> = model.fields.iter().map(part).collect();
    let name = own.name.to_token_stream();
    let body = shadowed::body(&quote!(#second), &name, &own.ty(&quote!(#next)), &parts);
    header.body(of, &own.this(), body)
}
