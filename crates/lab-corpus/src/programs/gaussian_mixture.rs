//! The logarithm of the density of a Gaussian mixture at many points, with a Wishart prior: an objective of the benchmark
//! suite ADBench.
//!
//! Component `k` has a weight in proportion to exp(`alphas[k]`), the mean `means[k]`, and Qᵀ·Q for the inverse of its
//! covariance. `icf[k]` holds the lower triangular matrix Q: first the logarithms of the diagonal, then what is below it,
//! column by column. So for `D` dimensions it has `F` = D·(D + 1)/2 elements.
//!
//! There are four ways to write it. [`objective()`] knows its sizes when it is compiled, [`objective_of_slices()`] when it is
//! run. Both keep the scratch of one component until all are done, so that a run backwards finds it there. The two with
//! `plain` in their names are written without such care. Short loops are unrolled up to ten dimensions.

mod in_lanes;
mod wishart;

pub use in_lanes::{
    Found, FoundOfSlices, gradient_in_lanes, gradient_of_slices_in_lanes, log_density_in_lanes,
    log_density_of_slices_in_lanes,
};
pub use wishart::Wishart;

use retrograd::prelude::*;

use super::log_sum_exp::{largest, log_of_sum};
use super::{Demo, Entry, rounded};

/// Where the element of Q in row `j` and column `i` stands, for `j > i` and `d` dimensions. Row `d` is where the column ends.
#[inline(always)]
fn below_diagonal(d: usize, i: usize, j: usize) -> usize {
    d + i * (2 * d - i - 1) / 2 + (j - i - 1)
}

/// What the prior says about the component with the `d`-dimensional matrix `icf`, up to a constant.
#[reversible]
fn log_prior<T: Real>(icf: &[T], d: usize, #[constant] prior: &Wishart) -> T {
    let mut squares = T::zero();
    let mut logarithms = T::zero();
    for i in 0..d {
        squares += icf[i].exp().square();
        logarithms += icf[i];
    }
    for i in d..icf.len() {
        squares += icf[i].square();
    }
    prior.of_squares::<T>() * squares - prior.of_logarithms::<T>() * logarithms
}

/// Q·(x − mean) for one component. `diagonal` is that of Q.
#[reversible]
#[inline(always)]
fn whitened<T: Real, const D: usize, const F: usize>(
    #[constant] x: &[T; D],
    mean: &[T; D],
    diagonal: &[T; D],
    icf: &[T; F],
) -> [T; D] {
    let mut q = [T::zero(); D];
    #[unroll(10)]
    for i in 0..D {
        let centred = x[i] - mean[i];
        q[i] += diagonal[i] * centred;
        #[unroll(9)]
        for j in i + 1..D {
            q[j] += icf[below_diagonal(D, i, j)] * centred;
        }
    }
    q
}

/// The logarithm of the density at the point `x`. All components keep their scratch up to the end.
///
/// `diagonals` are those of Q, and `offsets` the logarithms of weight times determinant.
#[reversible]
fn log_density<T: Real, const D: usize, const F: usize, const K: usize>(
    offsets: &[T; K],
    means: &[[T; D]; K],
    diagonals: &[[T; D]; K],
    icf: &[[T; F]; K],
    #[constant] x: &[T; D],
) -> T {
    let q: [[T; D]; K] = std::array::from_fn(|k| whitened(x, &means[k], &diagonals[k], &icf[k]));
    let mut exponents = *offsets;
    for k in 0..K {
        let mut square = T::zero();
        #[unroll(10)]
        for i in 0..D {
            square += q[k][i] * q[k][i];
        }
        exponents[k] -= 0.5 * square;
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

/// The objective, for sizes that are known when it is compiled.
///
/// ```
/// use lab_corpus::programs::gaussian_mixture::{Wishart, objective};
///
/// // One component, the standard normal distribution, at two points.
/// let prior = Wishart { gamma: 1.0, m: 0 };
/// let value: f64 = objective(&[0.3], &[[0.0]], &[[0.0]], &[[1.0], [2.0]], &prior);
/// assert!((value - (prior.constant::<f64>(2, 1, 1) + 0.5 - 2.5)).abs() < 1e-14);
/// ```
#[reversible]
pub fn objective<T: Real, const D: usize, const F: usize, const K: usize>(
    alphas: &[T; K],
    means: &[[T; D]; K],
    icf: &[[T; F]; K],
    #[constant] x: &[[T; D]],
    #[constant] prior: &Wishart,
) -> T {
    let mut diagonals = [[T::zero(); D]; K];
    let mut offsets = *alphas;
    for k in 0..K {
        for i in 0..D {
            diagonals[k][i] += icf[k][i].exp();
            offsets[k] += icf[k][i];
        }
    }
    let mut total: T = prior.constant(x.len(), D, K);
    for n in 0..x.len() {
        total += log_density(&offsets, means, &diagonals, icf, &x[n]);
    }
    for k in 0..K {
        total += log_prior(&icf[k], D, prior);
    }
    total - x.len() as T * log_of_sum(alphas)
}

/// The same as [`objective()`] in one piece: each local is declared where it is needed.
///
/// ```
/// use lab_corpus::programs::gaussian_mixture::{Wishart, objective, objective_plain};
///
/// let prior = Wishart { gamma: 0.5, m: 2 };
/// let (alphas, means, icf) = ([0.3, -0.1], [[0.0, 1.0], [1.0, 0.5]], [[0.1, 0.2, 0.3], [-0.5, 0.4, -0.2]]);
/// let value: f64 = objective_plain(&alphas, &means, &icf, &[[1.0, 2.0], [0.0, 0.5]], &prior);
/// assert!((value - objective(&alphas, &means, &icf, &[[1.0, 2.0], [0.0, 0.5]], &prior)).abs() < 1e-14);
/// ```
#[reversible]
pub fn objective_plain<T: Real, const D: usize, const F: usize, const K: usize>(
    alphas: &[T; K],
    means: &[[T; D]; K],
    icf: &[[T; F]; K],
    #[constant] x: &[[T; D]],
    #[constant] prior: &Wishart,
) -> T {
    let mut diagonals = [[T::zero(); D]; K];
    let mut offsets = *alphas;
    for k in 0..K {
        for i in 0..D {
            diagonals[k][i] += icf[k][i].exp();
            offsets[k] += icf[k][i];
        }
    }
    let mut total: T = prior.constant(x.len(), D, K);
    for n in 0..x.len() {
        let mut exponents = offsets;
        for k in 0..K {
            let mut q = [T::zero(); D];
            #[unroll(10)]
            for i in 0..D {
                let centred = x[n][i] - means[k][i];
                #[unroll(9)]
                for j in i + 1..D {
                    q[j] += icf[k][below_diagonal(D, i, j)] * centred;
                }
                q[i] += diagonals[k][i] * centred;
            }
            let mut square = T::zero();
            #[unroll(10)]
            for i in 0..D {
                square += q[i] * q[i];
            }
            exponents[k] -= 0.5 * square;
        }
        total += log_of_sum(&exponents);
    }
    for k in 0..K {
        total += log_prior(&icf[k], D, prior);
    }
    total - x.len() as T * log_of_sum(alphas)
}

/// The logarithm of the density at the point `x`, as [`log_density()`] has it, for slices one behind the other.
#[reversible]
fn log_density_of_slices<T: Real>(offsets: &[T], means: &[T], diagonals: &[T], icf: &[T], #[constant] x: &[T]) -> T {
    let d = x.len();
    let f = d * (d + 1) / 2;
    let mut q = vec![T::zero(); means.len()];
    let mut exponents = offsets.to_vec();
    for k in 0..offsets.len() {
        for i in 0..d {
            let centred = x[i] - means[d * k + i];
            q[d * k + i] += diagonals[d * k + i] * centred;
            let (start, end) = (f * k + below_diagonal(d, i, i + 1), f * k + below_diagonal(d, i, d));
            for (white, &l) in q[d * k + i + 1..d * (k + 1)].iter_mut().zip(&icf[start..end]) {
                *white += l * centred;
            }
        }
        let mut square = T::zero();
        for i in 0..d {
            square += q[d * k + i] * q[d * k + i];
        }
        exponents[k] -= 0.5 * square;
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

/// The objective for any sizes. The vectors of all means, matrices and points stand one behind the other.
///
/// ```
/// use lab_corpus::programs::gaussian_mixture::{Wishart, objective, objective_of_slices};
///
/// let prior = Wishart { gamma: 0.5, m: 2 };
/// let (alphas, means, icf) = ([0.3, -0.1], [[0.0, 1.0], [1.0, 0.5]], [[0.1, 0.2, 0.3], [-0.5, 0.4, -0.2]]);
/// let value: f64 = objective_of_slices(&alphas, means.as_flattened(), icf.as_flattened(), &[1.0, 2.0, 0.0, 0.5], &prior);
/// assert_eq!(value, objective(&alphas, &means, &icf, &[[1.0, 2.0], [0.0, 0.5]], &prior));
/// ```
#[reversible]
pub fn objective_of_slices<T: Real>(
    alphas: &[T],
    means: &[T],
    icf: &[T],
    #[constant] x: &[T],
    #[constant] prior: &Wishart,
) -> T {
    let d = means.len() / alphas.len();
    let f = d * (d + 1) / 2;
    let mut diagonals = vec![T::zero(); means.len()];
    let mut offsets = alphas.to_vec();
    for k in 0..alphas.len() {
        for i in 0..d {
            diagonals[d * k + i] += icf[f * k + i].exp();
            offsets[k] += icf[f * k + i];
        }
    }
    let mut total: T = prior.constant(x.len() / d, d, alphas.len());
    for n in 0..x.len() / d {
        total += log_density_of_slices(&offsets, means, &diagonals, icf, &x[d * n..d * (n + 1)]);
    }
    for k in 0..alphas.len() {
        total += log_prior(&icf[f * k..f * (k + 1)], d, prior);
    }
    total - (x.len() / d) as T * log_of_sum(alphas)
}

/// The same as [`objective_of_slices()`] in one piece: each local is declared where it is needed.
///
/// ```
/// use lab_corpus::programs::gaussian_mixture::{Wishart, objective_of_slices_plain, objective_plain};
///
/// let prior = Wishart { gamma: 0.5, m: 2 };
/// let (alphas, means, icf) = ([0.3, -0.1], [[0.0, 1.0], [1.0, 0.5]], [[0.1, 0.2, 0.3], [-0.5, 0.4, -0.2]]);
/// let x = [[1.0, 2.0], [0.0, 0.5]];
/// let (flat_means, flat_icf, flat_x) = (means.as_flattened(), icf.as_flattened(), x.as_flattened());
/// let value: f64 = objective_of_slices_plain(&alphas, flat_means, flat_icf, flat_x, &prior);
/// assert_eq!(value, objective_plain(&alphas, &means, &icf, &x, &prior));
/// ```
#[reversible]
pub fn objective_of_slices_plain<T: Real>(
    alphas: &[T],
    means: &[T],
    icf: &[T],
    #[constant] x: &[T],
    #[constant] prior: &Wishart,
) -> T {
    let d = means.len() / alphas.len();
    let f = d * (d + 1) / 2;
    let mut diagonals = vec![T::zero(); means.len()];
    let mut offsets = alphas.to_vec();
    for k in 0..alphas.len() {
        for i in 0..d {
            diagonals[d * k + i] += icf[f * k + i].exp();
            offsets[k] += icf[f * k + i];
        }
    }
    let mut total: T = prior.constant(x.len() / d, d, alphas.len());
    for n in 0..x.len() / d {
        let mut exponents = offsets.clone();
        for k in 0..alphas.len() {
            let mut q = vec![T::zero(); d];
            for i in 0..d {
                let centred = x[d * n + i] - means[d * k + i];
                q[i] += diagonals[d * k + i] * centred;
                for j in i + 1..d {
                    q[j] += icf[f * k + below_diagonal(d, i, j)] * centred;
                }
            }
            let mut square = T::zero();
            for i in 0..d {
                square += q[i] * q[i];
            }
            exponents[k] -= 0.5 * square;
        }
        total += log_of_sum(&exponents);
    }
    for k in 0..alphas.len() {
        total += log_prior(&icf[f * k..f * (k + 1)], d, prior);
    }
    total - (x.len() / d) as T * log_of_sum(alphas)
}

/// Adds the objective to `total`. A function has no inverse, but what it was added to has.
///
/// ```
/// use lab_corpus::programs::gaussian_mixture::{Wishart, gaussian_mixture};
///
/// let (mut total, prior) = (0.0, Wishart { gamma: 1.0, m: 0 });
/// gaussian_mixture(&mut total, &[0.3], &[0.0], &[0.0], &[1.0, 2.0], &prior);
/// assert!((total + 2.0 - prior.constant::<f64>(2, 1, 1)).abs() < 1e-14);
/// gaussian_mixture::uncall(&mut total, &[0.3], &[0.0], &[0.0], &[1.0, 2.0], &prior);
/// assert_eq!(total, 0.0);
/// ```
#[reversible]
pub fn gaussian_mixture<T: Real>(
    total: &mut T,
    alphas: &[T],
    means: &[T],
    icf: &[T],
    #[constant] x: &[T],
    #[constant] prior: &Wishart,
) {
    *total += objective_of_slices(alphas, means, icf, x, prior);
}

pub(super) const ENTRY: Entry = Entry {
    name: "gaussian_mixture",
    about: "adds the logarithm of a density, a function made of other functions",
    source: gaussian_mixture::source,
    demo: || {
        let (alphas, means, icf) = ([0.3, -0.1], [0.0, 1.0, 1.0, 0.5], [0.1, 0.2, 0.3, -0.5, 0.4, -0.2]);
        let (x, prior) = ([1.0, 2.0, 0.0, 0.5, -1.0, 0.5], Wishart { gamma: 0.5, m: 2 });
        Demo::new(
            0.0,
            |total: &mut f64| gaussian_mixture(total, &alphas, &means, &icf, &x, &prior),
            |total| gaussian_mixture::uncall(total, &alphas, &means, &icf, &x, &prior),
            |total| format!("total = {}", rounded(&[*total])[0]),
        )
    },
};
