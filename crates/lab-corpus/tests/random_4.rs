//! The laws of all runs, on part 4 of the random programs that `build.rs` writes.

mod random;

random::part!("random_4.rs");
