//! The frame of every `impl`: generics, and bounds without repetition.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, Ident, Lifetime};

/// An `impl` in the making.
pub(super) struct Implement<'a> {
    pub(super) generics: &'a Generics,
    /// A lifetime before the parameters.
    pub(super) lifetime: Option<&'a Lifetime>,
    /// Types after the parameters.
    pub(super) scalars: Vec<Ident>,
    pub(super) bounds: Vec<TokenStream>,
}

impl<'a> Implement<'a> {
    pub(super) fn new(generics: &'a Generics) -> Implement<'a> {
        Implement { generics, lifetime: None, scalars: Vec::new(), bounds: Vec::new() }
    }

    pub(super) fn lifetime(mut self, lifetime: &'a Lifetime) -> Self {
        self.lifetime = Some(lifetime);
        self
    }

    pub(super) fn scalars(mut self, scalars: impl IntoIterator<Item = Ident>) -> Self {
        self.scalars.extend(scalars);
        self
    }

    pub(super) fn bounds(mut self, bounds: impl IntoIterator<Item = TokenStream>) -> Self {
        self.bounds.extend(bounds);
        self
    }

    /// `impl<..> of for ty where .. { body }`
    pub(super) fn body(self, of: TokenStream, ty: &TokenStream, body: TokenStream) -> TokenStream {
        let (lifetime, scalars) = (self.lifetime.iter(), &self.scalars);
        let params = self.generics.params.iter();
        let predicates = self.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let mut seen = BTreeSet::new();
        let bounds = self.bounds.iter().filter(|bound| seen.insert(bound.to_string()));
        quote! {
            #[automatically_derived]
            impl<#(#lifetime,)* #(#params,)* #(#scalars,)*> #of for #ty
            where
                #(#predicates,)*
                #(#bounds,)*
            {
                #body
            }
        }
    }
}

/// The parameters as arguments, with each type replaced.
pub(super) fn arguments(generics: &Generics, replacement: impl Fn(&Ident) -> TokenStream) -> Vec<TokenStream> {
    let argument = |parameter: &GenericParam| match parameter {
        GenericParam::Lifetime(parameter) => parameter.lifetime.to_token_stream(),
        GenericParam::Type(parameter) => replacement(&parameter.ident),
        GenericParam::Const(parameter) => parameter.ident.to_token_stream(),
    };
    generics.params.iter().map(argument).collect()
}
