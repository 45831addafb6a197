//! Pure expressions.

mod aggregate;
pub(crate) mod complex;
mod conversion;
mod expr;
mod iterate;
mod library;
mod methods;
mod pattern;
mod types;

pub(crate) use expr::{binary, compared};
pub(crate) use iterate::counted;
