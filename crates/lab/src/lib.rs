//! The laboratory of retrograd: the programs that the language is tried on, and the `retrograd` command that shows
//! them.

pub mod programs;
