//! The laws of functions that record, on part 4 of the programs of ordinary Rust that `build.rs` writes.

// Random text is not linted; what is around it is, in part 1.
#![cfg(not(clippy))]

mod ordinary;

ordinary::part!("ordinary_4.rs");
