//! The objective of a Gaussian mixture, and its gradient by hand, for sizes that are known when it is compiled.

#![expect(clippy::needless_range_loop, reason = "matrices are indexed like matrices")]

mod of_slices;

pub use of_slices::{gradient_of_slices, objective_of_slices};

use super::Number;
use super::data::{Mixture, Parameters};
use crate::programs::gaussian_mixture::Wishart;

/// ln Σ exp(x), with the largest number taken out.
fn log_sum_exp<N: Number>(x: &[N]) -> N {
    let shift = largest(x);
    x.iter().fold(N::constant(0.0), |sum, &x| sum + (x - shift).exp()).ln() + shift
}

/// The largest value.
#[inline(always)]
pub(crate) fn largest<N: Number>(x: &[N]) -> f64 {
    x.iter().fold(f64::NEG_INFINITY, |largest, x| largest.max(x.value()))
}

/// What does not change from point to point.
pub(crate) struct Prepared<const D: usize, const K: usize> {
    /// The logarithms of weight times determinant.
    pub(crate) offsets: [f64; K],
    /// The diagonals of Q.
    pub(crate) diagonals: [[f64; D]; K],
}

impl<const D: usize, const K: usize> Prepared<D, K> {
    pub(crate) fn new<const F: usize>(parameters: &Parameters<D, F, K>) -> Self {
        let Parameters { alphas, icf, .. } = parameters;
        Prepared {
            offsets: std::array::from_fn(|k| alphas[k] + icf[k][..D].iter().sum::<f64>()),
            diagonals: std::array::from_fn(|k| std::array::from_fn(|i| icf[k][i].exp())),
        }
    }
}

/// What the weights and the prior add to the sum over that many points.
pub(crate) fn beside_points<const D: usize, const F: usize, const K: usize>(
    Parameters { alphas, icf, .. }: &Parameters<D, F, K>,
    points: usize,
    prior: &Wishart,
    diagonals: &[[f64; D]; K],
) -> f64 {
    let below = icf.iter().flat_map(|icf| &icf[D..]);
    let squares: f64 = diagonals.as_flattened().iter().chain(below).map(|l| l * l).sum();
    let logarithms: f64 = icf.iter().flat_map(|icf| &icf[..D]).sum();
    prior.constant::<f64>(points, D, K) + 0.5 * prior.gamma * prior.gamma * squares
        - f64::from(prior.m) * logarithms
        - points as f64 * log_sum_exp(alphas)
}

/// Adds the adjoints of weights and prior to those of the sum over that many points, where the places of the logarithms have the
/// adjoint of the diagonal.
pub(crate) fn pull_beside_points<const D: usize, const F: usize, const K: usize>(
    Parameters { alphas, icf, .. }: &Parameters<D, F, K>,
    points: usize,
    prior: &Wishart,
    diagonals: &[[f64; D]; K],
    g: &mut Parameters<D, F, K>,
) {
    let (square, m) = (prior.gamma * prior.gamma, f64::from(prior.m));
    let all_weights = log_sum_exp(alphas);
    for k in 0..K {
        for i in 0..D {
            let diagonal = diagonals[k][i];
            g.icf[k][i] = (g.icf[k][i] + square * diagonal) * diagonal + g.alphas[k] - m;
        }
        for i in D..F {
            g.icf[k][i] += square * icf[k][i];
        }
        g.alphas[k] -= points as f64 * (alphas[k] - all_weights).exp();
    }
}

/// Q·(x − mean) for one component.
#[inline(always)]
pub(crate) fn whitened<const D: usize, const F: usize>(
    x: &[f64; D],
    mean: &[f64; D],
    diagonal: &[f64; D],
    icf: &[f64; F],
) -> [f64; D] {
    let mut q = [0.0; D];
    let mut at = D;
    for i in 0..D {
        let centred = x[i] - mean[i];
        q[i] += diagonal[i] * centred;
        for j in i + 1..D {
            q[j] += icf[at] * centred;
            at += 1;
        }
    }
    q
}

/// The objective, as [`objective`](crate::programs::gaussian_mixture::objective()) has it.
pub fn objective<const D: usize, const F: usize, const K: usize>(mixture: &Mixture<D, F, K>) -> f64 {
    at_points(&mixture.parameters, &mixture.x, &mixture.prior)
}

/// The same for points that stand elsewhere.
pub(crate) fn at_points<const D: usize, const F: usize, const K: usize>(
    parameters: &Parameters<D, F, K>,
    x: &[[f64; D]],
    prior: &Wishart,
) -> f64 {
    let Parameters { means, icf, .. } = parameters;
    let Prepared { offsets, diagonals } = Prepared::new(parameters);
    let mut total = beside_points(parameters, x.len(), prior, &diagonals);
    for x in x {
        let mut exponents = [0.0; K];
        for k in 0..K {
            let q = whitened(x, &means[k], &diagonals[k], &icf[k]);
            exponents[k] = offsets[k] - 0.5 * q.iter().map(|q| q * q).sum::<f64>();
        }
        total += log_sum_exp(&exponents);
    }
    total
}

/// Adds the adjoint of Q, from that of Q·`centred`. The places of the logarithms take the adjoint of the diagonal.
#[inline(always)]
pub(crate) fn pull_factor<const D: usize, const F: usize>(g_q: &[f64; D], centred: &[f64; D], g_icf: &mut [f64; F]) {
    let mut at = D;
    for i in 0..D {
        g_icf[i] += g_q[i] * centred[i];
        for j in i + 1..D {
            g_icf[at] += g_q[j] * centred[i];
            at += 1;
        }
    }
}

/// Adds the adjoint of the mean, from that of Q·(x − mean).
#[inline(always)]
pub(crate) fn pull_mean<const D: usize, const F: usize>(
    g_q: &[f64; D],
    diagonal: &[f64; D],
    icf: &[f64; F],
    g_mean: &mut [f64; D],
) {
    let mut at = D;
    for i in 0..D {
        let mut g_centred = g_q[i] * diagonal[i];
        for j in i + 1..D {
            g_centred += g_q[j] * icf[at];
            at += 1;
        }
        g_mean[i] -= g_centred;
    }
}

/// The objective and its gradient, point by point.
///
/// Q·(x − mean) is kept for all components of a point. The adjoints of factor and mean have a loop each: in one loop for
/// both, the compiler finds no vectors, and the whole takes half as long again.
///
/// ```
/// use lab_corpus::yardsticks::data::Mixture;
/// use lab_corpus::yardsticks::gaussian_mixture::{gradient, objective};
///
/// let mixture = Mixture::<3, 6, 2>::new(10);
/// let (value, g) = gradient(&mixture);
/// assert!((value - objective(&mixture)).abs() < 1e-12);
/// assert!(g.alphas.iter().sum::<f64>().abs() < 1e-12); // all weights may have the same factor
/// ```
pub fn gradient<const D: usize, const F: usize, const K: usize>(
    mixture: &Mixture<D, F, K>,
) -> (f64, Parameters<D, F, K>) {
    let Mixture { parameters, x, prior } = mixture;
    let Parameters { means, icf, .. } = parameters;
    let Prepared { offsets, diagonals } = Prepared::new(parameters);
    let mut total = beside_points(parameters, x.len(), prior, &diagonals);
    let mut g = Parameters::ZERO;
    for x in x {
        let (mut q, mut terms) = ([[0.0; D]; K], [0.0; K]);
        for k in 0..K {
            q[k] = whitened(x, &means[k], &diagonals[k], &icf[k]);
            terms[k] = offsets[k] - 0.5 * q[k].iter().map(|q| q * q).sum::<f64>();
        }
        let shift = largest(&terms);
        let mut sum = 0.0;
        for term in &mut terms {
            *term = (*term - shift).exp();
            sum += *term;
        }
        total += sum.ln() + shift;
        let per_sum = 1.0 / sum;
        for k in 0..K {
            let share = terms[k] * per_sum;
            g.alphas[k] += share;
            let g_q = q[k].map(|q| -share * q);
            let centred = std::array::from_fn(|i| x[i] - means[k][i]);
            pull_factor(&g_q, &centred, &mut g.icf[k]);
            pull_mean(&g_q, &diagonals[k], &icf[k], &mut g.means[k]);
        }
    }
    pull_beside_points(parameters, x.len(), prior, &diagonals, &mut g);
    (total, g)
}
