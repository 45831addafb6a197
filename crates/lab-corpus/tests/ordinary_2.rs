//! The laws of functions that record, on part 2 of the programs of ordinary Rust that `build.rs` writes.

mod ordinary;

ordinary::part!("ordinary_2.rs");
