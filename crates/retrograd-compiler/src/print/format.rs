//! Formats Rust, around what the formatter does not do.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::layout;

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
    with_macros(formatted(tokens))
}

/// What went through the formatter under other names, as it is meant.
pub(super) fn with_macros(mut text: String) -> String {
    let kept = format!("{KEEP}();");
    if text.contains(&kept) {
        let mut lines: Vec<String> = Vec::new();
        for line in text.lines().filter(|line| line.trim() != kept) {
            match lines.last_mut() {
                Some(arm) if line.trim() == "}" && arm.ends_with("=> {") => arm.push('}'),
                _ => lines.push(line.replace(&format!("{{ {kept} }}"), "{}")),
            }
        }
        text = lines.into_iter().map(|line| line + "\n").collect();
    }
    let mut parts = text.split(MACRO);
    let first = parts.next().unwrap_or_default().to_string();
    // `__macro_name(..)` is `name!(..)`.
    parts.fold(first, |text, part| text + &part.replacen('(', "!(", 1))
}

fn formatted(tokens: TokenStream) -> String {
    if let Some(text) = layout::function(&tokens).or_else(|| layout::line(&tokens)) {
        return text;
    }
    if let Some(text) = file(tokens.clone()) {
        return text;
    }
    let Some(text) = file(quote!(fn wrapped() { #tokens })) else { return tokens.to_string() };
    let inside = text.trim_start_matches("fn wrapped() {").trim_end().trim_end_matches('}');
    inside.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Items, one below the other.
pub(super) fn file(tokens: TokenStream) -> Option<String> {
    syn::parse2::<syn::File>(tokens).ok().filter(|file| !file.items.is_empty()).map(|file| prettyplease::unparse(&file))
}
