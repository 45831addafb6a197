//! The shadow of a struct or enum as a type of its own.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Generics, Ident, Member};

use super::apart::Apart;
use super::implement::{Implement, arguments};
use super::model::{Field, Model, Role, Style};
use super::shadowed::{self, Part};
use super::{arithmetic, types};

/// The shadow of a struct or enum: one field for each of its fields.
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

    /// Whether bounds on the field are no trivial ones.
    fn is_bounded(&self, field: &Field) -> bool {
        !field.recursive && (field.role == Role::Active || self.model.is_generic(&field.ty))
    }

    /// `impl<.., S> .. where ..` for the shadow.
    pub(super) fn header(&self) -> Implement<'_> {
        let scalar = &self.model.scalar;
        let header = Implement::new(&self.generics).bounds(self.bounds(&quote!(#scalar)));
        header.scalars(self.has_scalars.then(|| scalar.clone()))
    }

    /// The same, where the shadows of the fields can what the trait `can` says: `F: CloneShadow<S>`.
    pub(super) fn header_where(&self, fields: impl Fn(&Field) -> bool, can: &str) -> Implement<'_> {
        let bounded = self.model.shadowed().filter(|field| self.is_bounded(field) && fields(field));
        self.header().bounds(bounded.map(|field| types::bound(&field.ty, self.can(field, can))))
    }

    /// The trait that says what the shadow of a field can.
    fn can(&self, field: &Field, can: &str) -> TokenStream {
        let scalar = &self.model.scalar;
        let (can, scalar) = (Ident::new(can, Span::call_site()), field.scalar(&quote!(#scalar)));
        quote!(::retrograd::private::#can<#scalar>)
    }

    /// `<F as CloneShadow<S>>::item`
    pub(super) fn does(&self, field: &Field, can: &str, item: &str) -> TokenStream {
        types::qualified(&field.ty, self.can(field, can), item)
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
            Role::Active | Role::Constants => field.owned(&quote!(#scalar)),
            Role::Constant | Role::Inert | Role::Phantom => field.only(),
        }
    }
}

/// The type, and everything that it can.
pub(super) fn shadow(model: &Model, name: &Ident) -> TokenStream {
    let own = Own::new(model, name);
    let (item, standard) = (item(&own), standard(&own));
    let (arithmetic, active, shadowed) = (arithmetic::own(&own), active(&own), shadow_of_shadow(&own));
    let boxed = model.active().any(|field| field.recursive).then(|| boxed(&own));
    quote!(#item #standard #arithmetic #active #shadowed #boxed)
}

/// The shadow of a type that contains itself contains boxes of itself.
fn boxed(own: &Own) -> TokenStream {
    let (scalar, second, this) = (&own.model.scalar, &own.model.second, own.this());
    let (params, bounds) = (own.generics.params.iter(), own.bounds(&quote!(#scalar)));
    let predicates = own.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let scalar = own.has_scalars.then(|| quote!(#scalar,));
    quote! {
        ::retrograd::private::shadowed_box! {
            [#(#params,)* #scalar] #second, #this, where #(#predicates,)* #(#bounds,)*
        }
    }
}

fn item(own: &Own) -> TokenStream {
    let Own { model, name, .. } = own;
    let (vis, scalar) = (model.vis, &model.scalar);
    let is_enum = model.variants.iter().any(|variant| variant.name.is_some());
    let field = |field: &Field| {
        let (vis, ty) = ((!is_enum).then_some(field.vis), own.field(field));
        let member = field.member.to_token_stream();
        let doc = match field.role {
            Role::Active => format!("The shadow of `{member}`."),
            Role::Constants => format!("No derivative flows through `{member}`: its shape, and nothing in it."),
            Role::Constant | Role::Inert | Role::Phantom => format!("No derivative flows through `{member}`."),
        };
        match &field.member {
            Member::Named(ident) => quote!(#[doc = #doc] #vis #ident: #ty),
            Member::Unnamed(_) => quote!(#[doc = #doc] #vis #ty),
        }
    };
    let bounds = own.bounds(&quote!(#scalar));
    let predicates = own.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let clause = quote!(where #(#predicates,)* #(#bounds,)*);
    let body = |apart: &Apart| {
        let fields = apart.fields.iter().map(|one| field(one));
        match (apart.variant.name, apart.variant.style) {
            (Some(name), style) => {
                let doc = format!("The shadow of [`{}::{name}`].", model.name);
                let fields = match style {
                    Style::Named => quote!({ #(#fields,)* }),
                    Style::Tuple => quote!((#(#fields,)*)),
                    Style::Unit => quote!(),
                };
                quote!(#[doc = #doc] #name #fields,)
            }
            (None, Style::Named) => quote!(#clause { #(#fields,)* }),
            (None, Style::Tuple) => quote!((#(#fields,)*) #clause;),
            (None, Style::Unit) => quote!(#clause;),
        }
    };
    let body: TokenStream = model.apart().map(|apart| body(&apart)).collect();
    let (keyword, body) = if is_enum { (quote!(enum), quote!(#clause { #body })) } else { (quote!(struct), body) };
    // With one type parameter, the scalar is the shadow of that.
    let mut types = own.generics.type_params();
    let default = types.next().filter(|_| types.next().is_none()).map(|parameter| {
        let ident = &parameter.ident;
        quote!(= <#ident as ::retrograd::private::Active>::Shadow)
    });
    let params = own.generics.params.iter();
    let scalar = own.has_scalars.then(|| quote!(#scalar #default));
    let doc = format!("The shadow of [`{}`]: an adjoint or a tangent of it.", model.name);
    // The types of the fields may be less visible than the struct, where the fields are.
    quote! {
        #[doc = #doc]
        #[allow(private_bounds, private_interfaces)]
        #vis #keyword #name<#(#params,)* #scalar> #body
    }
}

/// `Clone`, `Debug`, `Default` and `PartialEq`, where the shadows of the fields have them, and `Copy`, where that is known.
fn standard(own: &Own) -> TokenStream {
    let model = own.model;
    let this = own.this();
    let whole = quote!(Self);
    let has_shadow = |field: &Field| matches!(field.role, Role::Active | Role::Constants);
    let made = |apart: &Apart, does: &dyn Fn(&Field) -> TokenStream| {
        apart.made(&whole, |field| if has_shadow(field) { does(field) } else { field.only() })
    };
    let make = |of: TokenStream, can: &str, body: TokenStream| own.header_where(|_| true, can).body(of, &this, body);

    let clones = model.matched(&quote!(self), &whole, has_shadow, |apart| {
        made(apart, &|field| {
            let (name, clone) = (&field.name, own.does(field, "CloneShadow", "clone_shadow"));
            quote!(#clone(#name))
        })
    });
    let clone = quote! {
        #[inline]
        #[allow(clippy::non_canonical_clone_impl, reason = "a shadow is `Copy` only if its fields are")]
        fn clone(&self) -> Self {
            #clones
        }
    };
    let debugs = model.matched(&quote!(self), &whole, has_shadow, |apart| {
        let fields = apart.fields.iter().map(|field| {
            let (name, debug) = (name_of(field), own.does(field, "DebugShadow", "debug_shadow"));
            let (value, only) = (&field.name, field.only());
            if has_shadow(field) { quote!(.field(#name #debug(#value))) } else { quote!(.field(#name &#only)) }
        });
        let name = apart.name(own.name);
        let begin = match apart.variant.style {
            Style::Named => quote!(debug_struct),
            Style::Tuple | Style::Unit => quote!(debug_tuple),
        };
        quote!(formatter.#begin(#name) #(#fields)* .finish())
    });
    let debug = quote! {
        fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            #debugs
        }
    };
    let equals = model.matched_pair(
        (quote!(self), &whole),
        (quote!(other), &whole),
        [&has_shadow, &has_shadow],
        |apart| {
            let equals = apart.fields.iter().filter(|field| has_shadow(field)).map(|field| {
                let (one, other, equal) = (&field.name, &field.other, own.does(field, "EqShadow", "eq_shadow"));
                quote!(&& #equal(#one, #other))
            });
            quote!(true #(#equals)*)
        },
        quote!(false),
    );
    let equal = quote! {
        fn eq(&self, other: &Self) -> bool {
            #equals
        }
    };
    // Which variant an enum begins with is not for us to say.
    let default = model.apart().next().filter(|apart| apart.variant.name.is_none()).map(|apart| {
        let default = made(&apart, &|field| {
            let default = own.does(field, "DefaultShadow", "default_shadow");
            quote!(#default())
        });
        make(quote!(::core::default::Default), "DefaultShadow", quote!(fn default() -> Self { #default }))
    });
    [
        make(quote!(::core::clone::Clone), "CloneShadow", clone),
        make(quote!(::core::fmt::Debug), "DebugShadow", debug),
        default.unwrap_or_default(),
        make(quote!(::core::cmp::PartialEq), "EqShadow", equal),
        copy(own),
    ]
    .into_iter()
    .collect()
}

/// The name of a field as an argument, if it has one.
fn name_of(field: &Field) -> Option<TokenStream> {
    match &field.member {
        Member::Named(ident) => {
            let name = ident.to_string();
            Some(quote!(#name,))
        }
        Member::Unnamed(_) => None,
    }
}

/// A shadow of numbers that lie in place is `Copy`, if they are. It is not known of the shadows of other structs.
fn copy(own: &Own) -> TokenStream {
    let model = own.model;
    let in_place = |field: &Field| types::is_plain(&field.ty, &model.generics) && types::is_in_place(&field.ty);
    if !model.shadowed().all(in_place) {
        return TokenStream::new();
    }
    let bounded = model.shadowed().filter(|field| own.is_bounded(field));
    let copies = bounded.map(|field| own.field(field)).map(|ty| quote!(#ty: ::core::marker::Copy));
    let header = own.header_where(|_| true, "CloneShadow").bounds(copies);
    header.body(quote!(::core::marker::Copy), &own.this(), quote!())
}

/// The numbers of a shadow are those of its scalars.
fn active(own: &Own) -> TokenStream {
    let model = own.model;
    let scalar = &model.scalar;
    let (active, sweep, next) = (quote!(::retrograd::private::Active), quote!(#scalar), model.stand_in("Shadow", 0));
    let mut header = own.header();
    let (ty, number) = match own.has_scalars {
        true => {
            let bounds = own.bounds(&quote!(#next)).into_iter().chain([quote!(#scalar: #active<Shadow = #next>)]);
            header = header.scalars([next.clone()]).bounds(bounds);
            (own.ty(&quote!(#next)), quote!(<#scalar as #active>::Number))
        }
        false => (own.this(), quote!(())),
    };
    let visit = |method: &str, of_scalar: TokenStream| {
        model.matched(
            &quote!(self),
            &quote!(Self),
            |field| field.role == Role::Active,
            |apart| {
                let visits = apart.fields.iter().filter(|field| field.role == Role::Active).map(|field| {
                    let (name, visit) = (&field.name, field.shadowed_by(&sweep, &own.field(field), method));
                    quote!(#visit(#name, &mut |scalar| <#scalar as #active>::#of_scalar(scalar, visit));)
                });
                visits.collect()
            },
        )
    };
    let (shared, mutable) = (visit("visit_scalars", quote!(visit)), visit("visit_scalars_mut", quote!(visit_mut)));
    header.body(active, &own.this(), super::numbers::body(&ty, &number, &shared, &mutable))
}

/// The shadow of the shadow is the shadow in a sweep over the shadow of its scalar.
fn shadow_of_shadow(own: &Own) -> TokenStream {
    let model = own.model;
    let (scalar, second, next) = (&model.scalar, &model.second, model.stand_in("Next", 0));
    let twice = quote!(::retrograd::private::Twice<#scalar, #second, #next>);
    let mut header = own.header_where(|field| field.role == Role::Constants, "CloneShadow").scalars([second.clone()]);
    if own.has_scalars {
        let bounds =
            model.active().filter(|field| own.is_bounded(field)).map(|field| types::bound(&field.ty, twice.clone()));
        let scalar = quote!(#scalar: ::retrograd::private::Shadowed<#second, Owned = #next>);
        header = header.scalars([next.clone()]).bounds(bounds).bounds([scalar]);
    }
    let part = |field: &Field| {
        let name = &field.name;
        match field.role {
            Role::Active => {
                let items = ["zeros_of", "misfit_of", "visit_second", "visit_second_mut"];
                let items = items.map(|item| types::qualified(&field.ty, twice.clone(), item));
                Part::Field { items, value: quote!(#name), active: true }
            }
            Role::Constants => {
                let clone = own.does(field, "CloneShadow", "clone_shadow");
                Part::Made(quote!(#clone(#name)))
            }
            Role::Constant | Role::Inert | Role::Phantom => Part::Only(field.only()),
        }
    };
    let (name, of) = (own.name.to_token_stream(), quote!(::retrograd::private::Shadowed<#second>));
    let body = shadowed::body(model, &quote!(#second), &name, &own.ty(&quote!(#next)), part);
    header.body(of, &own.this(), body)
}
