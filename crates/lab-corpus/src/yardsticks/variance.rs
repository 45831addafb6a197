//! Mean and variance of numbers.

use super::Number;

/// Both, as [`mean_and_variance`](crate::programs::variance::mean_and_variance()) has them.
#[inline]
pub fn mean_and_variance<N: Number>(x: &[N]) -> (N, N) {
    let zero = N::constant(0.0);
    let mean = x.iter().fold(zero, |sum, &x| sum + x) / x.len() as f64;
    let squares = x.iter().fold(zero, |sum, &x| sum + (x - mean) * (x - mean));
    (mean, squares / (x.len() - 1) as f64)
}
