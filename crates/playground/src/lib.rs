//! The language of retrograd on a page.
//!
//! [`Desk`] is what the page talks to: a text, the programs that the compiler derives from it, and one of them on its way. It
//! answers requests, which are lines of text, in JSON; [`abi`] hands them over where there is no other way than memory.
//! [`page`] writes the page, with the module that the compiler makes of this crate inside.

pub mod abi;
mod check;
mod desk;
mod drift;
pub mod gallery;
mod held;
mod json;
pub mod page;
mod trip;

pub use desk::Desk;
