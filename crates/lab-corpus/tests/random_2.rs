//! The laws of all runs, on part 2 of the random programs that `build.rs` writes.

mod random;

random::part!("random_2.rs");
