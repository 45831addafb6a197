//! A mixture of 25 Gaussians in ten dimensions: one run for each point.

use retrograd::prelude::*;

/// Adds the logarithm of the density at point `i` to `y[i]`, without the constant that all mixtures have.
///
/// Component `k` has the weight `exp(weights[k])`, the centre `means[k * 10..]`, and a triangular matrix that whitens its points, with
/// `scales[k * 10..]` on its diagonal and `lower[k * 45..]` below it, row by row.
#[reversible(kernel)]
pub fn mixture<T: Real>(
    #[index] i: usize,
    y: &mut [T],
    weights: &[T],
    means: &[T],
    scales: &[T],
    lower: &[T],
    #[constant] x: &[T],
) {
    let mut terms = [T::zero(); 25];
    for k in 0..25 {
        let mut centred = [T::zero(); 10];
        for j in 0..10 {
            centred[j] += x[i * 10 + j] - means[k * 10 + j];
        }
        let mut square = T::zero();
        for j in 0..10 {
            let mut whitened = scales[k * 10 + j] * centred[j];
            for l in 0..j {
                whitened += lower[k * 45 + j * (j - 1) / 2 + l] * centred[l];
            }
            square += whitened * whitened;
        }
        terms[k] += weights[k] - 0.5 * square;
    }
    // The largest of the first terms, of ever more of them.
    let mut largest = [terms[0]; 25];
    for k in 1..25 {
        largest[k] += (terms[k] - terms[0]).max(largest[k - 1] - terms[0]);
    }
    #[constant]
    let shift = largest[24];
    let mut sum = T::zero();
    for k in 0..25 {
        sum += (terms[k] - shift).exp();
    }
    y[i] += shift + sum.ln();
}
