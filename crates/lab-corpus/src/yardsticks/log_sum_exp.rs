//! The logarithm of a sum of exponentials, and the loss of classifiers.

use super::Number;

/// ln Σ exp(x), as [`log_of_sum`](crate::programs::log_sum_exp::log_of_sum()) has it.
#[inline]
pub fn log_of_sum<N: Number>(x: &[N]) -> N {
    let largest = x.iter().fold(f64::NEG_INFINITY, |largest, x| largest.max(x.value()));
    x.iter().fold(N::constant(0.0), |sum, &x| sum + (x - largest).exp()).ln() + largest
}

/// The mean surprise of many examples, as [`cross_entropy`](crate::programs::cross_entropy::cross_entropy()) adds it.
#[inline]
pub fn cross_entropy<N: Number>(scores: &[N], labels: &[usize]) -> N {
    let examples = scores.chunks_exact(scores.len() / labels.len()).zip(labels);
    let sum = examples.fold(N::constant(0.0), |sum, (scores, &label)| sum + log_of_sum(scores) - scores[label]);
    sum / labels.len() as f64
}
