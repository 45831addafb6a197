//! Formats Rust, around what the formatter does not do.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The formatter leaves macros alone, so they go through it as calls under this name.
const MACRO: &str = "__macro_";

/// Of an arm with one statement the formatter loses the attributes; with this in front it does not.
pub(super) const KEEP: &str = "__keep";

pub(super) fn macro_call(name: &str) -> Ident {
    format_ident!("{MACRO}{name}")
}

/// A statement `m!(a, b);` as a call, if its arguments are expressions.
pub(super) fn as_call(tokens: &TokenStream) -> TokenStream {
    let Ok(syn::Stmt::Macro(stmt)) = syn::parse2(tokens.clone()) else { return tokens.clone() };
    let parser = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
    match (stmt.mac.parse_body_with(parser), stmt.mac.path.get_ident()) {
        (Ok(args), Some(name)) => {
            let call = macro_call(&name.to_string());
            quote!(#call(#args);)
        }
        _ => tokens.clone(),
    }
}

/// Formats Rust: a file, statements or an expression. What cannot be parsed comes back as it is.
pub fn tidy(tokens: TokenStream) -> String {
    let kept = format!("{KEEP}();");
    let mut text = formatted(tokens);
    if text.contains(&kept) {
        let lines = text.lines().filter(|line| line.trim() != kept);
        text = lines.map(|line| format!("{line}\n")).collect::<String>().replace(&format!("{{ {kept} }}"), "{}");
    }
    while let Some(start) = text.find(MACRO) {
        let after = start + MACRO.len();
        let open = after + text[after..].find('(').unwrap_or_default();
        text = format!("{}{}!{}", &text[..start], &text[after..open], &text[open..]);
    }
    text
}

fn formatted(tokens: TokenStream) -> String {
    if let Ok(file) = syn::parse2::<syn::File>(tokens.clone())
        && !file.items.is_empty()
    {
        return prettyplease::unparse(&file);
    }
    let wrapped = quote!(fn wrapped() { #tokens });
    let Ok(file) = syn::parse2::<syn::File>(wrapped) else { return tokens.to_string() };
    let text = prettyplease::unparse(&file);
    let inside = text.trim_start_matches("fn wrapped() {").trim_end().trim_end_matches('}');
    inside.split_whitespace().collect::<Vec<_>>().join(" ")
}
