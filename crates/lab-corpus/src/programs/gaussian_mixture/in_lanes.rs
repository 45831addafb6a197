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
/// use lab_corpus::programs::gaussian_mixture::log_density_in_lanes;
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

/// The same as [`log_density_in_lanes()`] for any number of components.
///
/// ```
/// use lab_corpus::programs::gaussian_mixture::log_density_of_slices_in_lanes;
///
/// let (total, by_offsets, ..) =
///     log_density_of_slices_in_lanes::gradient_over(&[0.0], &[[0.0]], &[[1.0]], &[[0.0]], &[[1.0], [2.0]]);
/// assert_eq!((total, by_offsets), (-2.5, vec![2.0]));
/// ```
#[reversible]
#[inline(always)]
pub fn log_density_of_slices_in_lanes<T: Real, const D: usize, const F: usize>(
    offsets: &[Shared<T>],
    means: &[[Shared<T>; D]],
    diagonals: &[[Shared<T>; D]],
    icf: &[[Shared<T>; F]],
    #[constant] x: &[T; D],
) -> T {
    let mut whitened = vec![[T::zero(); D]; offsets.len()];
    let mut exponents = vec![T::zero(); offsets.len()];
    for k in 0..offsets.len() {
        for i in 0..D {
            let centred = x[i] - means[k][i].spread();
            whitened[k][i] += diagonals[k][i].spread() * centred;
            for j in i + 1..D {
                whitened[k][j] += icf[k][below_diagonal(D, i, j)].spread() * centred;
            }
        }
        let mut square = T::zero();
        for i in 0..D {
            square += whitened[k][i] * whitened[k][i];
        }
        exponents[k] += offsets[k].spread() - 0.5 * square;
    }
    #[constant]
    let shift = largest(&exponents);
    let mut terms = vec![T::zero(); offsets.len()];
    let mut sum = T::zero();
    for k in 0..offsets.len() {
        terms[k] += (exponents[k] - shift).exp();
        sum += terms[k];
    }
    sum.ln() + shift
}

/// Adds what all points need: the diagonals of Q, and the logarithms of weight times determinant.
#[reversible]
fn prepare<T: Real, const D: usize, const F: usize>(
    offsets: &mut [T],
    diagonals: &mut [[T; D]],
    alphas: &[T],
    icf: &[[T; F]],
) {
    for k in 0..alphas.len() {
        offsets[k] += alphas[k];
        for i in 0..D {
            diagonals[k][i] += icf[k][i].exp();
            offsets[k] += icf[k][i];
        }
    }
}

/// The terms that do not depend on where the `n` points are.
#[reversible]
fn other_terms<T: Real, const F: usize>(
    alphas: &[T],
    icf: &[[T; F]],
    d: usize,
    n: usize,
    #[constant] prior: &Wishart,
) -> T {
    let mut total: T = prior.constant(n, d, alphas.len());
    for k in 0..alphas.len() {
        total += log_prior(&icf[k], d, prior);
    }
    total - n as T * log_of_sum(alphas)
}

/// The value, and its gradient with respect to `alphas`, `means` and `icf`.
pub type Found<const D: usize, const F: usize, const K: usize> = (f64, [f64; K], [[f64; D]; K], [[f64; F]; K]);

/// The same for any number of components.
pub type FoundOfSlices<const D: usize, const F: usize> = (f64, Vec<f64>, Vec<[f64; D]>, Vec<[f64; F]>);

/// The value of [`objective()`](fn@super::objective) and its gradient with respect to `alphas`, `means` and `icf`, with several points at a time.
///
/// ```
/// use lab_corpus::programs::gaussian_mixture::{Wishart, gradient_in_lanes, objective};
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
    let (offsets, diagonals) = ((&mut offsets[..], &mut by_offsets[..]), (&mut diagonals[..], &mut by_diagonals[..]));
    let others = finish(offsets, diagonals, (alphas, &mut by_alphas), (icf, &mut by_icf), x.len(), prior);
    (at_points + others, by_alphas, by_means, by_icf)
}

/// The value of [`objective()`](fn@super::objective) and its gradient for any number of components, with several points at a time.
///
/// ```
/// use lab_corpus::programs::gaussian_mixture::{Wishart, gradient_in_lanes, gradient_of_slices_in_lanes};
///
/// let prior = Wishart { gamma: 0.5, m: 2 };
/// let (alphas, means, icf) = ([0.3, -0.1], [[0.0, 1.0], [1.0, 0.5]], [[0.1, 0.2, 0.3], [-0.5, 0.4, -0.2]]);
/// let x = [[1.0, 2.0], [0.0, 0.5]];
/// let (value, by_alphas, ..) = gradient_of_slices_in_lanes(&alphas, &means, &icf, &x, &prior);
/// let (expected, expected_by_alphas, ..) = gradient_in_lanes(&alphas, &means, &icf, &x, &prior);
/// assert!((value - expected).abs() < 1e-14 && (by_alphas[0] - expected_by_alphas[0]).abs() < 1e-14);
/// ```
pub fn gradient_of_slices_in_lanes<const D: usize, const F: usize>(
    alphas: &[f64],
    means: &[[f64; D]],
    icf: &[[f64; F]],
    x: &[[f64; D]],
    prior: &Wishart,
) -> FoundOfSlices<D, F> {
    let components = alphas.len();
    let (mut offsets, mut diagonals) = (vec![0.0; components], vec![[0.0; D]; components]);
    prepare(&mut offsets, &mut diagonals, alphas, icf);
    let (at_points, mut by_offsets, by_means, mut by_diagonals, mut by_icf) =
        log_density_of_slices_in_lanes::gradient_over(&offsets, means, &diagonals, icf, x);
    let mut by_alphas = vec![0.0; components];
    let (offsets, diagonals) = ((&mut offsets[..], &mut by_offsets[..]), (&mut diagonals[..], &mut by_diagonals[..]));
    let others = finish(offsets, diagonals, (alphas, &mut by_alphas), (icf, &mut by_icf), x.len(), prior);
    (at_points + others, by_alphas, by_means, by_icf)
}

/// A number or numbers that change, and their adjoint.
type Changing<'a, A> = (&'a mut [A], &'a mut [A]);

/// What is read only, and its adjoint.
type Read<'a, A> = (&'a [A], &'a mut [A]);

/// The terms that no point takes part in. Their adjoints are added, and so is what comes back from offsets and diagonals.
fn finish<const D: usize, const F: usize>(
    offsets: Changing<f64>,
    diagonals: Changing<[f64; D]>,
    (alphas, by_alphas): Read<f64>,
    (icf, by_icf): Read<[f64; F]>,
    points: usize,
    prior: &Wishart,
) -> f64 {
    let others = other_terms::pullback((alphas, &mut *by_alphas), (icf, &mut *by_icf), D, points, prior, 1.0);
    prepare::pullback(offsets, diagonals, (alphas, by_alphas), (icf, by_icf));
    others
}
