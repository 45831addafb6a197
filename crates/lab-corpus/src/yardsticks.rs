//! What the programs are measured against: the same in plain Rust, and derivatives written by hand.
//!
//! Each file has the twin of one program. The plain function is generic over [`Number`], so that `f64` runs it at full speed
//! and other crates for derivatives can run it as well, with the feature `peers`. The derivative, where there is one, is for
//! `f64` alone, and written as well as we can. [`data`] makes the inputs.
//!
//! The experiments measure, and `tests/yardsticks.rs` and `tests/corpus/twins.rs` check that all agree.

pub mod adbench;
pub mod bessel;
pub mod box_muller;
pub mod bundle_adjustment;
pub mod complex_sparse;
pub mod consistency;
pub mod data;
pub mod dense;
pub mod double_double;
pub mod fft;
pub mod gaussian_mixture;
pub mod graph_embedding;
pub mod hand_tracking;
pub mod lax_wendroff;
pub mod log_sum_exp;
pub mod lstm;
pub mod lu;
pub mod matvec;
pub mod nice;
mod number;
#[cfg(feature = "peers")]
pub mod peers;
pub mod qr;
pub mod recurrent;
pub mod solar_system;
pub mod sparse_dot;
pub mod sparse_matvec;
pub mod spin_glass;
pub mod umm;
pub mod variance;
pub mod wave;

pub use number::Number;
