//! The laws of all runs, on part 4 of the random programs that `build.rs` writes.

// Random text is not linted; what is around it is, in part 1.
#![cfg(not(clippy))]

mod random;

random::part!("random_4.rs");
