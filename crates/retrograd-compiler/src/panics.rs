//! A macro never panics: what panics all the same becomes one error, which asks for a report.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Runs a part of the compiler on behalf of `name`. While a macro is expanded, rustc prints nothing about a panic itself.
pub(crate) fn caught<R>(name: &syn::Ident, part: impl FnOnce() -> syn::Result<R>) -> syn::Result<R> {
    catch_unwind(AssertUnwindSafe(part))
        .unwrap_or_else(|payload| Err(syn::Error::new(name.span(), message(&name.to_string(), &*payload))))
}

/// Runs a whole macro on an item, or on what stands in the parentheses of `procedure!`.
pub(crate) fn guarded(item: TokenStream, expand: impl FnOnce(TokenStream) -> TokenStream) -> TokenStream {
    let item = crate::hygiene::plain(item);
    let expanded = catch_unwind(AssertUnwindSafe(|| expand(item.clone())));
    expanded.unwrap_or_else(|payload| {
        let (name, at) = named(&item);
        syn::Error::new_spanned(at, message(&name, &*payload)).into_compile_error()
    })
}

/// What an item is called, and where it says so.
fn named(item: &TokenStream) -> (String, TokenStream) {
    let name = match syn::parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Fn(item)) => item.sig.ident.to_token_stream(),
        Ok(syn::Item::Impl(item)) => item.self_ty.to_token_stream(),
        Ok(syn::Item::Trait(item)) => item.ident.to_token_stream(),
        Ok(syn::Item::Struct(item)) => item.ident.to_token_stream(),
        _ => item.clone(),
    };
    (name.to_string(), name)
}

fn message(name: &str, payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    format!(
        "the compiler of retrograd panicked on `{name}`: {}. This is a mistake in the compiler, not in the program: please report \
         it, together with this item",
        text.unwrap_or("nobody knows why")
    )
}

#[cfg(test)]
mod tests {
    use quote::{format_ident, quote};

    use super::*;

    #[test]
    fn a_panic_becomes_an_error_that_names_the_function_and_asks_for_a_report() {
        let error = caught::<()>(&format_ident!("walk"), || panic!("{} is odd", 3)).unwrap_err().to_string();
        assert!(error.contains("panicked on `walk`: 3 is odd") && error.contains("please report it"), "{error}");
    }

    #[test]
    fn a_macro_that_panics_is_a_compile_error() {
        let items = [
            (
                quote!(
                    fn walk() {}
                ),
                "`walk`",
            ),
            (quote!(impl Walk {}), "`Walk`"),
            (
                quote!(
                    trait Walks {}
                ),
                "`Walks`",
            ),
            (
                quote!(
                    struct Legs;
                ),
                "`Legs`",
            ),
            (quote!(s => walk(s)), "`s => walk (s)`"),
        ];
        for (item, name) in items {
            let tokens = guarded(item, |_| panic!("nothing goes")).to_string();
            assert!(tokens.contains("compile_error") && tokens.contains(name), "{tokens}");
        }
    }
}
