//! The laws of functions that record, on part 1 of the programs of ordinary Rust that `build.rs` writes.

mod ordinary;

ordinary::part!("ordinary_1.rs");
