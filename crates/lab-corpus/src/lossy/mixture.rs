//! The logarithm of the density of a Gaussian mixture, from the benchmark suite ADBench, with scratch that is used again.
//!
//! The reversible form is that of [`programs::gaussian_mixture`](crate::programs::gaussian_mixture), where parameters are explained.

mod hand;
mod natural;

pub(super) use natural::NATURAL;
pub use natural::mixture_natural;

use retrograd::prelude::*;

use super::{Input, Lossy, array, array_mut, constants};
use crate::programs::gaussian_mixture::{Wishart, objective};
use crate::yardsticks::data::{Mixture, Parameters};
use crate::yardsticks::gaussian_mixture as yardstick;

/// ln Σ exp(x), with the largest number taken out.
#[reversible(record)]
fn log_sum_exp<T: Real, const K: usize>(x: &[T; K]) -> T {
    let mut largest = x[0];
    for k in 1..K {
        if x[k] > largest {
            largest = x[k];
        }
    }
    let mut sum = T::zero();
    for k in 0..K {
        sum += (x[k] - largest).exp();
    }
    largest + sum.ln()
}

/// The objective.
///
/// ```
/// use lab_corpus::lossy::mixture::mixture;
/// use lab_corpus::programs::gaussian_mixture::Wishart;
///
/// // One component, the standard normal distribution, at two points.
/// let prior = Wishart { gamma: 1.0, m: 0 };
/// let value: f64 = mixture(&[0.3], &[[0.0]], &[[0.0]], &[[1.0], [2.0]], &prior);
/// assert!((value - (prior.constant::<f64>(2, 1, 1) + 0.5 - 2.5)).abs() < 1e-14);
/// ```
#[reversible(record)]
pub fn mixture<T: Real, const D: usize, const F: usize, const K: usize>(
    alphas: &[T; K],
    means: &[[T; D]; K],
    icf: &[[T; F]; K],
    #[constant] x: &[[T; D]],
    #[constant] prior: &Wishart,
) -> T {
    let mut diagonals = [[T::zero(); D]; K];
    let mut offsets = *alphas;
    let mut squares = T::zero();
    let mut logarithms = T::zero();
    for k in 0..K {
        for i in 0..D {
            diagonals[k][i] = icf[k][i].exp();
            offsets[k] += icf[k][i];
            squares += diagonals[k][i] * diagonals[k][i];
            logarithms += icf[k][i];
        }
        for i in D..F {
            squares += icf[k][i] * icf[k][i];
        }
    }
    let mut total: T = prior.constant(x.len(), D, K);
    total += prior.of_squares::<T>() * squares - prior.of_logarithms::<T>() * logarithms;
    total -= x.len() as T * log_sum_exp(alphas);

    let mut terms = [T::zero(); K];
    for n in 0..x.len() {
        for k in 0..K {
            let mut q = [T::zero(); D];
            for i in 0..D {
                q[i] = diagonals[k][i] * (x[n][i] - means[k][i]);
            }
            let mut at = D;
            for i in 0..D {
                let centred = x[n][i] - means[k][i];
                for j in i + 1..D {
                    q[j] += icf[k][at] * centred;
                    at += 1;
                }
            }
            let mut square = T::zero();
            for i in 0..D {
                square += q[i] * q[i];
            }
            terms[k] = offsets[k] - 0.5 * square;
        }
        let mut largest: T = terms[0];
        for k in 1..K {
            if terms[k] > largest {
                largest = terms[k];
            }
        }
        let mut sum = T::zero();
        for k in 0..K {
            terms[k] = (terms[k] - largest).exp();
            sum += terms[k];
        }
        total += largest + sum.ln();
    }
    total
}

/// How many dimensions there are.
const D: usize = 10;
/// How many elements the factor of a covariance has.
const F: usize = D * (D + 1) / 2;
/// How many components there are.
const K: usize = 5;

const PRIOR: Wishart = Wishart { gamma: 1.0, m: 0 };

/// Weights, means and factors of numbers in a row.
fn parts<T>(x: &[T]) -> (&[T; K], &[[T; D]; K], &[[T; F]; K]) {
    let (alphas, rest) = array(x);
    let (means, icf) = rest.split_at(K * D);
    (alphas, array(means.as_chunks().0).0, array(icf.as_chunks().0).0)
}

/// The same, to be changed.
fn parts_mut(x: &mut [f64]) -> (&mut [f64; K], &mut [[f64; D]; K], &mut [[f64; F]; K]) {
    let (alphas, rest) = array_mut(x);
    let (means, icf) = rest.split_at_mut(K * D);
    (alphas, array_mut(means.as_chunks_mut().0).0, array_mut(icf.as_chunks_mut().0).0)
}

pub(super) const LOSSY: Lossy = Lossy {
    name: "GMM of ADBench",
    input: |steps| {
        let mixture = Mixture::<D, F, K>::new(steps);
        Input { x: mixture.parameters.to_vec(), data: mixture.x.concat(), steps }
    },
    steps: 200,
    plain: |Input { x, data, .. }| {
        yardstick::at_points(&Parameters::<D, F, K>::from_slice(x), data.as_chunks().0, &PRIOR)
    },
    by_hand: |tape, Input { x, data, .. }, g| {
        hand::gradient(tape, &Parameters::<D, F, K>::from_slice(x), data.as_chunks().0, &PRIOR, g)
    },
    recorded: |record, Input { x, data, .. }, g| {
        let ((alphas, means, icf), (g_alphas, g_means, g_icf)) = (parts(x), parts_mut(g));
        let x = data.as_chunks().0;
        mixture::pullback_in(record, (alphas, g_alphas), (means, g_means), (icf, g_icf), x, &PRIOR, 1.0)
    },
    reversible: |Input { x, data, .. }, g| {
        let ((alphas, means, icf), (g_alphas, g_means, g_icf)) = (parts(x), parts_mut(g));
        let x = data.as_chunks().0;
        objective::pullback((alphas, g_alphas), (means, g_means), (icf, g_icf), x, &PRIOR, 1.0)
    },
    dual: |Input { data, .. }, x| {
        let ((alphas, means, icf), data) = (parts(x), constants(data));
        mixture(alphas, means, icf, data.as_chunks().0, &PRIOR)
    },
};
