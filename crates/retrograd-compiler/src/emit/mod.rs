//! IR in, Rust out.

mod body;
mod call;
mod companions;
mod guard;
mod purity;
pub mod tokens;

pub(crate) use companions::stripped;
pub use companions::{associated, bijection, function, required};
