//! The attributes of retrograd. Use them through the crate `retrograd`, which re-exports them.

use proc_macro::TokenStream;

/// Makes a function reversible.
#[proc_macro_attribute]
pub fn reversible(attribute: TokenStream, item: TokenStream) -> TokenStream {
    retrograd_compiler::reversible(attribute.into(), item.into()).into()
}

/// Gives a function of one argument its inverse.
#[proc_macro_attribute]
pub fn bijection(attribute: TokenStream, item: TokenStream) -> TokenStream {
    retrograd_compiler::bijection(attribute.into(), item.into()).into()
}
