//! The gradient with several points at a time.
//!
//! What the points share, the parameters, stays as it is: `Shared` numbers are the same in all lanes, and their adjoints are
//! sums over lanes. Before and after that come ordinary programs: the diagonals and offsets that all points need, and
//! the terms that no point takes part in.

use retrograd::Shared;
use retrograd::prelude::*;

use super::{Wishart, below_diagonal, log_prior};
use crate::programs::log_sum_exp::{largest, log_of_sum};

/// The logarithm of the density at the point `x`, with several points at a time.
///
/// ```
/// use lab::programs::gaussian_mixture::log_density_in_lanes;
///
/// // The standard normal distribution without its constant.
/// let (total, by_offset, by_mean, ..) =
///     log_density_in_lanes::gradient_over(&[0.0], &[[0.0]], &[[1.0]], &[[0.0]], &[[1.0], [2.0]]);
/// assert_eq!((total, by_offset, by_mean), (-2.5, [2.0], [[3.0]]));
/// ```
#[reversible]
#[inline(always)]
pub fn log_density_in_lanes<T: Real, const D: usize, const F: usize, const K: usize>(
    offsets: &[Shared<T>; K],
    means: &[[Shared<T>; D]; K],
    diagonals: &[[Shared<T>; D]; K],
    icf: &[[Shared<T>; F]; K],
    #[constant] x: &[T; D],
) -> T {
    let mut whitened = [[T::zero(); D]; K];
    let mut exponents = [T::zero(); K];
    for k in 0..K {
        let mut q = [T::zero(); D];
        #[unroll(10)]
        for i in 0..D {
            let centred = x[i] - means[k][i].spread();
            q[i] += diagonals[k][i].spread() * centred;
            #[unroll(9)]
            for j in i + 1..D {
                q[j] += icf[k][below_diagonal(D, i, j)].spread() * centred;
            }
        }
        #[unroll(10)]
        for i in 0..D {
            whitened[k][i] += q[i];
        }
        let mut square = T::zero();
        #[unroll(10)]
        for i in 0..D {
            square += whitened[k][i] * whitened[k][i];
        }
        exponents[k] += offsets[k].spread() - 0.5 * square;
    }
    #[constant]
    let shift = largest(&exponents);
    let mut terms = [T::zero(); K];
    let mut sum = T::zero();
    for k in 0..K {
        terms[k] += (exponents[k] - shift).exp();
        sum += terms[k];
    }
    sum.ln() + shift
}

/// Adds what all points need: the diagonals of Q, and the logarithms of weight times determinant.
#[reversible]
fn prepare<T: Real, const D: usize, const F: usize, const K: usize>(
    offsets: &mut [T; K],
    diagonals: &mut [[T; D]; K],
    alphas: &[T; K],
    icf: &[[T; F]; K],
) {
    for k in 0..K {
        offsets[k] += alphas[k];
        for i in 0..D {
            diagonals[k][i] += icf[k][i].exp();
            offsets[k] += icf[k][i];
        }
    }
}

/// The terms that do not depend on where the `n` points are.
#[reversible]
fn other_terms<T: Real, const F: usize, const K: usize>(
    alphas: &[T; K],
    icf: &[[T; F]; K],
    d: usize,
    n: usize,
    #[constant] prior: &Wishart,
) -> T {
    let mut total: T = prior.constant(n, d, K);
    for k in 0..K {
        total += log_prior(&icf[k], d, prior);
    }
    total - n as T * log_of_sum(alphas)
}

/// The value, and its gradient by `alphas`, `means` and `icf`.
pub type Found<const D: usize, const F: usize, const K: usize> = (f64, [f64; K], [[f64; D]; K], [[f64; F]; K]);

/// The value of [`objective()`](fn@super::objective) and its gradient by `alphas`, `means` and `icf`, with several points at a time.
///
/// ```
/// use lab::programs::gaussian_mixture::{Wishart, gradient_in_lanes, objective};
///
/// let prior = Wishart { gamma: 0.5, m: 2 };
/// let (alphas, means, icf) = ([0.3, -0.1], [[0.0, 1.0], [1.0, 0.5]], [[0.1, 0.2, 0.3], [-0.5, 0.4, -0.2]]);
/// let x = [[1.0, 2.0], [0.0, 0.5]];
/// let (value, ..) = gradient_in_lanes(&alphas, &means, &icf, &x, &prior);
/// assert!((value - objective(&alphas, &means, &icf, &x, &prior)).abs() < 1e-14);
/// ```
pub fn gradient_in_lanes<const D: usize, const F: usize, const K: usize>(
    alphas: &[f64; K],
    means: &[[f64; D]; K],
    icf: &[[f64; F]; K],
    x: &[[f64; D]],
    prior: &Wishart,
) -> Found<D, F, K> {
    let (mut offsets, mut diagonals) = ([0.0; K], [[0.0; D]; K]);
    prepare(&mut offsets, &mut diagonals, alphas, icf);
    let (at_points, mut by_offsets, by_means, mut by_diagonals, mut by_icf) =
        log_density_in_lanes::gradient_over(&offsets, means, &diagonals, icf, x);
    let mut by_alphas = [0.0; K];
    let others = other_terms::pullback((alphas, &mut by_alphas), (icf, &mut by_icf), D, x.len(), prior, 1.0);
    let (offsets, diagonals) = ((&mut offsets, &mut by_offsets), (&mut diagonals, &mut by_diagonals));
    prepare::pullback(offsets, diagonals, (alphas, &mut by_alphas), (icf, &mut by_icf));
    (at_points + others, by_alphas, by_means, by_icf)
}
