//! Core in, Rust out.

mod absent;
mod agreement;
mod asked;
mod body;
mod call;
mod callees;
mod checked;
mod companions;
mod derivatives;
mod determinants;
mod guard;
mod lent;
mod loops;
pub(crate) mod meant;
mod moves;
pub(crate) mod out;
mod over;
mod pairs;
pub(crate) mod paths;
mod pieces;
mod plain;
pub mod primitive;
mod public;
mod purity;
mod records;
mod second;
mod steps;
pub mod tokens;
mod types;
mod values;

pub use agreement::{agreement, declared};
pub(crate) use callees::Callees;
pub use companions::{Slope, bijection, function, required};
pub(crate) use companions::{associated, stripped};
pub(crate) use derivatives::Companions;
