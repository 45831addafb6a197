//! IR in, Rust out.

mod body;
mod call;
mod companions;
mod guard;
pub mod tokens;

pub use companions::{associated, bijection, function, required};
pub(crate) use companions::stripped;
