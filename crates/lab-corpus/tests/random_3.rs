//! The laws of all runs, on part 3 of the random programs that `build.rs` writes.

mod random;

random::part!("random_3.rs");
