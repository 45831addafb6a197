//! Names of generated locals: they say their role and never clash with the user's.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;

use crate::span::mixed_site;

/// A generated local. It lives at a span of its own, where the user's code cannot see it.
pub fn fresh(role: &str) -> Ident {
    Ident::new(role, mixed_site())
}

/// One of several generated locals of the same role: `element_0`, `element_1`, ..
pub fn numbered(role: &str, number: usize) -> Ident {
    fresh(&format!("{role}_{number}"))
}

/// A generated local that belongs to one of the user's: `grad_x` for `x`, and `grad_type` for `r#type`.
pub fn fresh_for(role: &str, name: &Ident) -> Ident {
    fresh(&prefixed(role, name))
}

/// The text of a name with a prefix: `uncall_step`.
pub fn prefixed(prefix: &str, name: &Ident) -> String {
    format!("{prefix}_{}", name.unraw())
}

/// One spelling for each name: `r#x` is `x`. A keyword stays raw, because it is no name otherwise.
pub fn plain(tokens: TokenStream) -> TokenStream {
    if !any_raw(&tokens) {
        return tokens;
    }
    let token = |token| match token {
        TokenTree::Ident(ident) => TokenTree::Ident(plain_name(&ident)),
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), plain(group.stream()));
            new.set_span(group.span());
            TokenTree::Group(new)
        }
        other => other,
    };
    tokens.into_iter().map(token).collect()
}

fn any_raw(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident.to_string().starts_with("r#"),
        TokenTree::Group(group) => any_raw(&group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn plain_name(ident: &Ident) -> Ident {
    let plain = ident.unraw();
    // In which editions `gen` is a keyword, `syn` does not say.
    let keyword = plain == "gen" || syn::parse_str::<Ident>(&plain.to_string()).is_err();
    if keyword { ident.clone() } else { plain }
}
