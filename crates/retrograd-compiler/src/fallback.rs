//! After an error: the signature and all companions are still there, so that one mistake gives one message.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::emit::rust::{Companions, Composition, stripped};
use crate::signature::Signature;

// Nothing here is ever run, and no lint has anything to say about it.

/// A function whose body was rejected.
pub fn function(item: &syn::ItemFn, read: &Signature<'_>, records: bool, errors: &syn::Error) -> TokenStream {
    let syn::ItemFn { attrs, vis, sig, .. } = item;
    let (name, signature) = (&sig.ident, stripped(sig));
    let errors = errors.to_compile_error();
    let companions = Companions { rejected: true, records, ..Companions::new(attrs, vis, read) };
    let (derivatives, launches) = (companions.stubs(), companions.launches(read.has_derivatives()));
    let rows = companions.rejected_rows();
    let kernel = read.index().map(|_| {
        let kernel = quote!(::retrograd::private::kernel);
        quote! {
            // Its body is never run, and uses none of its parameters.
            #[allow(unused)]
            #vis fn kernel_source(
                language: #kernel::Language, direction: ::retrograd::private::Direction
            ) -> ::core::result::Result<::retrograd::private::String, #kernel::Error> {
                ::core::unreachable!()
            }
        }
    });
    quote! {
        #errors
        #(#attrs)*
        #[allow(unused, clippy::all)]
        #vis #signature { ::core::unreachable!() }
        #[allow(non_camel_case_types, missing_docs, dead_code)]
        #vis struct #name {}
        #[allow(missing_docs, dead_code)]
        impl #name {
            #derivatives
            #kernel
            #launches
            #rows
            #[doc(hidden)]
            #vis const HOSTS: u128 = u128::MAX;
            #[allow(unused)]
            #vis fn source(direction: ::retrograd::private::Direction) -> &'static str { ::core::unreachable!() }
        }
    }
}

/// A method whose body was rejected. The errors stand in front of the `impl`.
pub(crate) fn associated(
    item: &syn::ImplItemFn,
    read: &Signature<'_>,
    records: bool,
    composition: Option<&Composition>,
) -> TokenStream {
    let syn::ImplItemFn { attrs, vis, sig, .. } = item;
    let signature = stripped(sig);
    let derivatives = Companions { rejected: true, records, composition, ..Companions::new(attrs, vis, read) }.stubs();
    let source = format_ident!("source_{}", sig.ident);
    quote! {
        #(#attrs)*
        #[allow(unused, clippy::all)]
        #vis #signature { ::core::unreachable!() }
        #derivatives
        #[allow(unused, missing_docs)]
        #vis fn #source(direction: ::retrograd::private::Direction) -> &'static str { ::core::unreachable!() }
    }
}
