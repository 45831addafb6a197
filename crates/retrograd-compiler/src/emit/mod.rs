//! IR in, Rust out.

mod body;
mod call;
mod companions;
mod guard;
pub mod tokens;

pub(crate) use companions::stripped;
pub use companions::{associated, bijection, function, required};
