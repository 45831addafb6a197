//! The laboratory of retrograd: the programs that the language is tried on, and the `retrograd` command that shows
//! them.

pub mod cli;
pub mod columns;
pub mod programs;
pub mod tour;
