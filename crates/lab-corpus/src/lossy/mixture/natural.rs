//! The same with scratch that all components use, and the logarithm of a sum of exponentials by a function.

use retrograd::prelude::*;

use super::{LOSSY, PRIOR, log_sum_exp, parts, parts_mut};
use crate::lossy::{Input, Lossy, constants};
use crate::programs::gaussian_mixture::Wishart;

/// The objective.
///
/// ```
/// use lab_corpus::lossy::mixture::mixture_natural;
/// use lab_corpus::programs::gaussian_mixture::Wishart;
///
/// let prior = Wishart { gamma: 1.0, m: 0 };
/// let value: f64 = mixture_natural(&[0.3], &[[0.0]], &[[0.0]], &[[1.0], [2.0]], &prior);
/// assert!((value - (prior.constant::<f64>(2, 1, 1) + 0.5 - 2.5)).abs() < 1e-14);
/// ```
#[reversible(record)]
pub fn mixture_natural<T: Real, const D: usize, const F: usize, const K: usize>(
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

    let mut q = [T::zero(); D];
    let mut terms = [T::zero(); K];
    for n in 0..x.len() {
        for k in 0..K {
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
        total += log_sum_exp(&terms);
    }
    total
}

pub(in crate::lossy) const NATURAL: Lossy = Lossy {
    name: "GMM of ADBench, natural",
    recorded: |record, Input { x, data, .. }, g| {
        let ((alphas, means, icf), (g_alphas, g_means, g_icf)) = (parts(x), parts_mut(g));
        let x = data.as_chunks().0;
        mixture_natural::pullback_in(record, (alphas, g_alphas), (means, g_means), (icf, g_icf), x, &PRIOR, 1.0)
    },
    dual: |Input { data, .. }, x| {
        let ((alphas, means, icf), data) = (parts(x), constants(data));
        mixture_natural(alphas, means, icf, data.as_chunks().0, &PRIOR)
    },
    ..LOSSY
};
