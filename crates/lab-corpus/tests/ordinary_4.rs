//! The laws of functions that record, on part 4 of the programs of ordinary Rust that `build.rs` writes.

mod ordinary;

ordinary::part!("ordinary_4.rs");
