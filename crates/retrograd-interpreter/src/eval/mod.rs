//! Pure expressions.

mod aggregate;
mod expr;
mod iterate;
mod library;
mod methods;
mod pattern;
mod types;

pub(crate) use expr::binary;
pub(crate) use iterate::counted;
