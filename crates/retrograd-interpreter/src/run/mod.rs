//! Statements, forwards and backwards, from the language reference: nothing here asks the compiler how it would rewrite them.

mod atomic;
mod backward;
mod calls;
mod forward;
pub(crate) mod life;
mod loops;
mod uses;

pub(crate) use life::Role;
pub(crate) use loops::Elements;
