//! The laws of all runs, on part 1 of the random programs that `build.rs` writes.

mod random;

random::part!("random_1.rs");
