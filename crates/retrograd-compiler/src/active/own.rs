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

    /// What the shadow needs in a sweep over `scalar`; whether it is known to hold of a type that is not generic.
    pub(super) fn needs(&self, scalar: &TokenStream) -> Vec<(bool, TokenStream)> {
        let need = |field: &Field| {
            let scalar = field.scalar(scalar);
            let bound = types::bound(&self.model.subject(&field.ty), quote!(::retrograd::private::Shadowed<#scalar>));
            (types::is_plain(&field.ty, &self.model.generics), bound)
        };
        self.model.shadowed().filter(|field| !field.recursive).map(need).collect()
    }

    /// The same, as far as it depends on a parameter.
    pub(super) fn bounds(&self, scalar: &TokenStream) -> Vec<TokenStream> {
        let bounds = self.needs(scalar).into_iter().map(|(_, bound)| bound);
        bounds.filter(|bound| self.model.is_generic(bound)).collect()
    }

    /// `impl<.., S> .. where ..` for the shadow.
    pub(super) fn header(&self) -> Implement<'_> {
        let scalar = &self.model.scalar;
        let header = Implement::new(&self.generics).bounds(self.bounds(&quote!(#scalar)));
        if self.has_scalars { header.scalar(scalar) } else { header }
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
    let bounded = |of: &TokenStream| {
        let fields = model.shadowed().filter(|field| !field.recursive);
        let bounds = fields.map(|field| own.field(field)).filter(|ty| model.is_generic(ty));
        let bounds: Vec<TokenStream> = bounds.map(|ty| quote!(#ty: #of)).collect();
        own.header().bounds(bounds)
    };
    let this = own.this();
    let make = |of: TokenStream, body: TokenStream| bounded(&of).body(of, &this, body);
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
    let (of, sweep) = (quote!(::retrograd::private::Active), quote!(#scalar));
    let next = quote!(<#scalar as ::retrograd::private::Active>::Shadow);
    let bounds = own.has_scalars.then(|| quote!(#scalar: ::retrograd::private::Active<Shadow: ::core::marker::Sized>));
    let header = own.header().bounds(bounds).bounds(own.bounds(&next));
    let (ty, number) = match own.has_scalars {
        true => (own.ty(&next), quote!(<#scalar as ::retrograd::private::Active>::Number)),
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
            quote! {
                #visit_scalars(
                    #borrow self.#member,
                    &mut |scalar| <#scalar as ::retrograd::private::Active>::#visit(scalar, visit),
                );
            }
        };
        model.active().map(visit).collect::<TokenStream>()
    };
    let (shared, mutable) = (visits(true), visits(false));
    header.body(of, &own.this(), super::numbers::body(&ty, &number, &shared, &mutable))
}

/// The shadow of the shadow is the shadow in a sweep over the shadow of its scalar.
fn shadow_of_shadow(own: &Own) -> TokenStream {
    let model = own.model;
    let (scalar, second) = (&model.scalar, &model.second);
    let of = quote!(::retrograd::private::Shadowed<#second>);
    let next = quote!(<#scalar as #of>::Owned);
    let header = own.header().scalar(second).bounds(own.has_scalars.then(|| quote!(#scalar: #of)));
    let bound = |field: &Field| {
        let (subject, scalar, next) = (model.subject(&field.ty), field.scalar(&quote!(#scalar)), field.scalar(&next));
        let shadow = quote!(<#subject as ::retrograd::private::Shadowed<#scalar>>::Owned);
        match field.role {
            _ if field.recursive => vec![],
            Role::Active => vec![
                quote!(#shadow: #of),
                quote!(#subject: ::retrograd::private::Shadowed<#next, Owned = <#shadow as #of>::Owned>),
            ],
            Role::Constant => vec![quote!(#shadow: ::core::clone::Clone)],
            Role::Inert | Role::Phantom => vec![],
        }
    };
    let bounds = model.fields.iter().flat_map(bound).filter(|bound| model.is_generic(bound));
    let part = |field: &Field| {
        let (member, value) = (field.member.clone(), field.member.to_token_stream());
        let (value, shadow) = (quote!(self.#value), own.field(field));
        let shadow = match field.role {
            Role::Active => {
                let next = field.owned(&next);
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
    let body = shadowed::body(&quote!(#second), &name, &own.ty(&next), &parts);
    header.bounds(bounds).body(of, &own.this(), body)
}
