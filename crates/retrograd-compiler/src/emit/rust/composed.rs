//! Traits of types that are made of others which have the trait: `impl<A: Layer, B: Layer> Layer for Seq<A, B>`.
//!
//! A derivative run of `Seq` needs shadows of `A` and `B`, in the sweep that its caller chooses. An `impl` may not ask for more than its
//! trait, and a trait knows nothing of `A` and `B`. So a trait that is `composed` has a type which is `Self` and is known to have both, and
//! a run takes its body from there:
//!
//! ```text
//! type __Composed<S: Base>: Layer + Shadowed<S>;                                          in the trait
//! type __Composed<S: Base> = Seq<<A as Layer>::__Composed<S>, <B as Layer>::__Composed<S>>;    in the `impl`
//!
//! fn __pullback_apply<S: Base>(&self, sweep: Sweep<S>, grad_self: impl AdjointArg<Self, S>, ..) where Self: Shadowed<S> {
//!     trait Composed<A: Layer, B: Layer, S: Base>: Shadowed<S> { fn run(&self, ..); }
//!     impl<A: Layer + Shadowed<S>, B: Layer + Shadowed<S>, S: Base> Composed<A, B, S> for Seq<A, B> { fn run(&self, ..) { .. } }
//!     <Self::__Composed<S> as Composed<.., S>>::run(identical(self), sweep, identical_mut(grad_self), ..)
//! }
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit_mut::{self, VisitMut};

use super::derivatives::Companions;
use super::paths::SHADOW;
use crate::hygiene::fresh_for;
use crate::ir::{Mode, Run};
use crate::signature::Parameter;
use crate::signature::numbers::{is_real, mentions};

/// An `impl` of a trait for a type that is made of others which have it.
pub(crate) struct Composition {
    /// The trait.
    path: syn::Path,
    /// The parameters of the `impl` that have the trait.
    pub(crate) parts: Vec<Ident>,
    generics: syn::Generics,
    this: syn::Type,
}

impl Composition {
    /// The composition that an `impl` is, if it is one.
    pub(crate) fn of(item: &syn::ItemImpl) -> Option<Composition> {
        let path = item.trait_.as_ref()?.0.clone();
        let name = &path.segments.last()?.ident;
        let is_trait = |bound: &syn::TypeParamBound| matches!(bound, syn::TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == *name));
        let clauses: Vec<_> = item.generics.where_clause.iter().flat_map(|clause| &clause.predicates).collect();
        let bounded = |parameter: &&syn::TypeParam| {
            let behind = clauses.iter().any(|predicate| {
                matches!(predicate, syn::WherePredicate::Type(of) if of.bounds.iter().any(is_trait)
                    && matches!(&of.bounded_ty, syn::Type::Path(path) if path.path.is_ident(&parameter.ident)))
            });
            behind || parameter.bounds.iter().any(is_trait)
        };
        let parts: Vec<Ident> = item.generics.type_params().filter(bounded).map(|part| part.ident.clone()).collect();
        let (generics, this) = (item.generics.clone(), (*item.self_ty).clone());
        (!parts.is_empty()).then_some(Composition { path, parts, generics, this })
    }

    /// Whether a method takes or gives something, besides a reference to itself, that is made of the parts: that is not the same type.
    pub(crate) fn is_elsewhere(&self, signature: &syn::Signature) -> bool {
        let of_parts =
            |ty: &syn::Type| self.parts.iter().any(|part| mentions(ty, part)) || mentions(ty, &format_ident!("Self"));
        let by_value = signature.receiver().is_some_and(|receiver| matches!(receiver.kind, syn::ReceiverKind::Value));
        let input = |input: &syn::FnArg| matches!(input, syn::FnArg::Typed(typed) if of_parts(&typed.ty));
        let output = matches!(&signature.output, syn::ReturnType::Type(_, ty) if of_parts(ty));
        by_value || output || signature.inputs.iter().any(input)
    }

    /// Something of the `impl`, with the types in the place of its parts that have a shadow.
    fn known(&self, mut ty: syn::Type) -> syn::Type {
        Known(self).visit_type_mut(&mut ty);
        ty
    }
}

struct Known<'c>(&'c Composition);

impl VisitMut for Known<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        match ty {
            syn::Type::Path(path) if path.path.get_ident().is_some_and(|name| self.0.parts.contains(name)) => {
                let (part, of, shadow) = (path.path.clone(), &self.0.path, format_ident!("{SHADOW}"));
                *ty = syn::parse_quote!(<#part as #of>::__Composed<#shadow>);
            }
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }
}

/// The scalar shadow, for the numbers of a trait or an `impl`.
fn scalar(generics: &syn::Generics) -> syn::GenericParam {
    let (shadow, private) = (format_ident!("{SHADOW}"), quote!(::retrograd::private));
    let numbers = generics.type_params().filter(|param| param.bounds.iter().any(is_real)).map(|param| &param.ident);
    syn::parse_quote!(#shadow: #private::Base #(+ #private::Shadow<#numbers>)*)
}

/// What a trait says that is composed.
pub fn composed_trait(item: &syn::ItemTrait) -> TokenStream {
    let (name, shadow, scalar) = (&item.ident, format_ident!("{SHADOW}"), scalar(&item.generics));
    let (_, arguments, _) = item.generics.split_for_impl();
    quote! {
        #[doc(hidden)]
        #[allow(missing_docs)]
        type __Composed<#scalar>: #name #arguments + ::retrograd::private::Shadowed<#shadow> where Self: ::core::marker::Sized;
    }
}

/// What each `impl` of such a trait says.
pub fn composed_impl(item: &syn::ItemImpl) -> TokenStream {
    let this = match Composition::of(item) {
        Some(composition) => composition.known((*item.self_ty).clone()),
        None => (*item.self_ty).clone(),
    };
    let scalar = scalar(&item.generics);
    quote!(#[doc(hidden)] type __Composed<#scalar> = #this;)
}

/// A run of a composition, from its signature: the parameters behind `self`, and what is passed on for each of them.
pub(super) struct Entry {
    pub(super) receiver: TokenStream,
    pub(super) inputs: Vec<TokenStream>,
    pub(super) passed: Vec<TokenStream>,
    pub(super) output: Option<TokenStream>,
}

impl Companions<'_> {
    /// The body of a run, where the parts have a shadow.
    pub(super) fn through(
        &self,
        composition: &Composition,
        run: Run,
        entry: &Entry,
        body: &TokenStream,
    ) -> TokenStream {
        let (private, shadow) = (quote!(::retrograd::private), format_ident!("{SHADOW}"));
        let Entry { receiver, inputs, passed, output } = entry;
        let mut generics = composition.generics.clone();
        generics.params.push(self.scalar_shadow());
        for part in &composition.parts {
            let predicate = syn::parse_quote!(#part: #private::Shadowed<#shadow>);
            generics.make_where_clause().predicates.push(predicate);
        }
        let (params, arguments, clause) = generics.split_for_impl();
        let own = self.generics();
        let (own, _, own_clause) = own.split_for_impl();
        let (this, known) = (&composition.this, composition.known(composition.this.clone()));
        let mut known_arguments: syn::Type = syn::parse_quote!(Composed #arguments);
        Known(composition).visit_type_mut(&mut known_arguments);
        let parameter = self.parameters().iter().find(|p| p.receiver);
        let reached = parameter.filter(|p| p.active).map(|p| reached(run, p, &known));
        let myself = match parameter.map(|p| p.mode) {
            Some(Mode::Change) => quote!(#private::identical_mut::<Self, #known>(self)),
            _ => quote!(#private::identical::<Self, #known>(self)),
        };
        quote! {
            trait Composed #params: ::core::marker::Sized + #private::Shadowed<#shadow> #clause {
                fn run #own (#receiver #(#inputs),*) #output #own_clause;
            }
            impl #params Composed #arguments for #this #clause {
                fn run #own (#receiver #(#inputs),*) #output #own_clause { #body }
            }
            #reached
            <#known as #known_arguments>::run(#myself, #(#passed),*)
        }
    }
}

/// The shadow of `self`, as that of the same type where it is known.
fn reached(run: Run, parameter: &Parameter, known: &syn::Type) -> TokenStream {
    let (private, shadow) = (quote!(::retrograd::private), format_ident!("{SHADOW}"));
    let whose = quote!(_, <#known as #private::Shadowed<#shadow>>::Shadow);
    let (own, keep) = (super::entries::shadow_name(run, &parameter.name), fresh_for("keep", &parameter.name));
    match parameter.changes(run) {
        true => quote! {
            let mut #keep = #private::AdjointArg::<Self, #shadow>::keep(&#own, &*self);
            let #own = #private::identical_mut::<#whose>(#private::AdjointArg::<Self, #shadow>::reach(#own, &mut #keep));
        },
        false => quote! {
            let #keep = #private::TangentArg::<Self, #shadow>::keep(&#own, &*self);
            let #own = #private::identical::<#whose>(#private::TangentArg::<Self, #shadow>::reach(#own, &#keep));
        },
    }
}
