//! Names of generated locals: they say their role and never clash with the user's.

use proc_macro2::Ident;

use crate::span::mixed_site;

/// A generated local. It lives at a span of its own, where the user's code cannot see it.
pub fn fresh(role: &str) -> Ident {
    Ident::new(role, mixed_site())
}

/// One of several generated locals of the same role: `element_0`, `element_1`, ..
pub fn numbered(role: &str, number: usize) -> Ident {
    fresh(&format!("{role}_{number}"))
}
