//! What the shadows of types are called.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use crate::ir::{Type, TypeKind};
use crate::signature::Numbers;

impl ToTokens for Type {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.written.tokens().to_tokens(tokens);
    }
}

impl Type {
    /// The type as syntax of Rust.
    pub(super) fn syntax(&self) -> syn::Type {
        syn::parse2(self.written.tokens().clone()).expect("it was read from a type")
    }
}

/// The shadow of a type, spelled out where that is plain.
pub(super) fn shadow_type(ty: &Type, number: &TokenStream, numbers: &Numbers) -> TokenStream {
    match &ty.kind {
        TypeKind::Slice(of) => {
            let element = owned_type(of, number, numbers);
            quote!([#element])
        }
        _ => owned_or(ty, number, numbers, "Shadow"),
    }
}

/// The owned shadow of a type.
pub(super) fn owned_type(ty: &Type, number: &TokenStream, numbers: &Numbers) -> TokenStream {
    match &ty.kind {
        TypeKind::Slice(of) => {
            let element = owned_type(of, number, numbers);
            quote!(::retrograd::private::Vec<#element>)
        }
        _ => owned_or(ty, number, numbers, "Owned"),
    }
}

fn owned_or(ty: &Type, number: &TokenStream, numbers: &Numbers, other: &str) -> TokenStream {
    match &ty.kind {
        TypeKind::Array { of, len } => {
            let (element, len) = (owned_type(of, number, numbers), len.tokens());
            quote!([#element; #len])
        }
        _ => match ty.vec_element().filter(|element| numbers.is_plain(element)) {
            Some(element) => {
                let element = owned_type(element, number, numbers);
                with_element(ty, &element)
            }
            None if numbers.is_number(ty) => number.clone(),
            None => {
                let other = format_ident!("{other}");
                quote!(<#ty as ::retrograd::private::Shadowed<#number>>::#other)
            }
        },
    }
}

/// A `Vec` with other elements: the one that is meant, which may be a type of the user's own.
fn with_element(ty: &Type, element: &TokenStream) -> TokenStream {
    let mut syntax = ty.syntax();
    if let syn::Type::Path(path) = &mut syntax
        && let Some(last) = path.path.segments.last_mut()
    {
        last.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote!(<#element>));
    }
    quote!(#syntax)
}
