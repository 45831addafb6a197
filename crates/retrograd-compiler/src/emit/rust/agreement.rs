//! A trait and the types that implement it agree whether its procedures have a record.
//!
//! ```text
//! fn __records<K: InTraitWithRecord>() where Self: Sized {}    in the trait
//! <Ball as Model>::__records::<WithRecord>();                  beside the `impl`, in dead code
//! ```

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

use super::companions::companion_lints;
use crate::span::Span;

/// What a trait says.
pub fn declared(records: bool) -> TokenStream {
    let bound = if records { quote!(InTraitWithRecord) } else { quote!(InTraitWithoutRecord) };
    let lints = companion_lints();
    quote! {
        #[doc(hidden)]
        #lints
        fn __records<__Kind: ::retrograd::private::absent::#bound>() where Self: ::core::marker::Sized {}
    }
}

/// What a type that implements a trait says, if it has procedures of it.
pub fn agreement(item: &syn::ItemImpl, procedures: bool, records: bool) -> Option<TokenStream> {
    let (path, _) = item.trait_.as_ref().filter(|_| procedures)?;
    let (this, lints) = (&item.self_ty, companion_lints());
    let cfg = item.attrs.iter().filter(|a| a.path().is_ident("cfg"));
    let (generics, _, clause) = item.generics.split_for_impl();
    let [path, clause] =
        [path.to_token_stream(), clause.to_token_stream()].map(|tokens| of_type(tokens, &this.to_token_stream()));
    let at = Span::of(&item.self_ty).first;
    let kind = if records { quote_spanned!(at=> WithRecord) } else { quote_spanned!(at=> WithoutRecord) };
    let call = quote_spanned!(at=> <#this as #path>::__records::<::retrograd::private::absent::#kind>());
    Some(quote! {
        #(#cfg)*
        const _: () = {
            #lints
            fn agrees #generics () #clause { #call }
        };
    })
}

/// The tokens of an `impl`, outside of it.
fn of_type(tokens: TokenStream, this: &TokenStream) -> TokenStream {
    let outside = |token: TokenTree| match token {
        TokenTree::Ident(name) if name == "Self" => quote!(<#this>),
        TokenTree::Group(group) => {
            let mut inside = Group::new(group.delimiter(), of_type(group.stream(), this));
            inside.set_span(group.span());
            TokenTree::Group(inside).into()
        }
        other => other.into(),
    };
    tokens.into_iter().map(outside).collect()
}
