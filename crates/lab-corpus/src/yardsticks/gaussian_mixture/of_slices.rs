//! The same for sizes that are known when it is run.

use super::{largest, log_sum_exp};
use crate::programs::gaussian_mixture::Wishart;
use crate::yardsticks::Number;

/// Adds Q·(x − mean) for one component to `q`.
#[inline]
fn whiten<N: Number>(q: &mut [N], x: &[f64], mean: &[N], diagonal: &[N], mut below: &[N]) {
    let d = x.len();
    let (q, mean, diagonal) = (&mut q[..d], &mean[..d], &diagonal[..d]);
    for i in 0..d {
        let centred = -mean[i] + x[i];
        q[i] = q[i] + diagonal[i] * centred;
        let (column, rest) = below.split_at(d - 1 - i);
        for (q, &l) in q[i + 1..].iter_mut().zip(column) {
            *q = *q + l * centred;
        }
        below = rest;
    }
}

/// The objective, as [`objective_of_slices`](crate::programs::gaussian_mixture::objective_of_slices()) has it.
pub fn objective_of_slices<N: Number>(alphas: &[N], means: &[N], icf: &[N], x: &[f64], prior: &Wishart) -> N {
    let (d, f) = (means.len() / alphas.len(), icf.len() / alphas.len());
    let logarithms = || icf.chunks_exact(f).map(|icf| &icf[..d]);
    let below = || icf.chunks_exact(f).map(|icf| &icf[d..]);
    let zero = N::constant(0.0);

    let diagonals: Vec<N> = logarithms().flatten().map(|icf| icf.exp()).collect();
    let offsets: Vec<N> =
        alphas.iter().zip(logarithms()).map(|(&alpha, icf)| icf.iter().fold(alpha, |sum, &icf| sum + icf)).collect();
    let mut total = N::constant(prior.constant(x.len() / d, d, alphas.len()));
    let (mut q, mut exponents) = (vec![zero; d], offsets.clone());
    for x in x.chunks_exact(d) {
        let components = means.chunks_exact(d).zip(diagonals.chunks_exact(d)).zip(below());
        for ((exponent, &offset), ((mean, diagonal), below)) in exponents.iter_mut().zip(&offsets).zip(components) {
            q.fill(zero);
            whiten(&mut q, x, mean, diagonal, below);
            *exponent = offset - q.iter().fold(zero, |sum, &q| sum + q * q) * 0.5;
        }
        total = total + log_sum_exp(&exponents);
    }
    let squares = diagonals.iter().chain(below().flatten()).fold(zero, |sum, &l| sum + l * l);
    let sum_of_logarithms = logarithms().flatten().fold(zero, |sum, &icf| sum + icf);
    total + squares * (0.5 * prior.gamma * prior.gamma)
        - sum_of_logarithms * f64::from(prior.m)
        - log_sum_exp(alphas) * (x.len() / d) as f64
}

/// Adds the adjoints of one component: of the mean, and of Q with its diagonal in the place of the logarithms.
#[inline]
fn pull(
    g_q: &[f64],
    x: &[f64],
    mean: &[f64],
    g_mean: &mut [f64],
    diagonal: &[f64],
    mut below: &[f64],
    g_icf: &mut [f64],
) {
    let d = x.len();
    let (g_q, mean, g_mean, diagonal) = (&g_q[..d], &mean[..d], &mut g_mean[..d], &diagonal[..d]);
    let (g_diagonal, mut g_below) = g_icf.split_at_mut(d);
    for i in 0..d {
        let centred = x[i] - mean[i];
        let mut g_centred = g_q[i] * diagonal[i];
        g_diagonal[i] += g_q[i] * centred;
        let (column, rest) = below.split_at(d - 1 - i);
        let (g_column, g_rest) = g_below.split_at_mut(d - 1 - i);
        for ((g_l, l), g_q) in g_column.iter_mut().zip(column).zip(&g_q[i + 1..]) {
            *g_l += g_q * centred;
            g_centred += g_q * l;
        }
        g_mean[i] -= g_centred;
        (below, g_below) = (rest, g_rest);
    }
}

/// The objective and its gradient: by alphas, means and factors, one behind the other.
///
/// ```
/// use lab_corpus::yardsticks::data::Mixture;
/// use lab_corpus::yardsticks::gaussian_mixture::{gradient, gradient_of_slices};
///
/// let mixture = Mixture::<3, 6, 2>::new(10);
/// let (p, x) = (&mixture.parameters, mixture.x.as_flattened());
/// let (value, g) = gradient_of_slices(&p.alphas, p.means.as_flattened(), p.icf.as_flattened(), x, &mixture.prior);
/// let (expected, g_expected) = gradient(&mixture);
/// assert!((value - expected).abs() < 1e-12);
/// assert!(g.iter().zip(g_expected.to_vec()).all(|(a, b)| (a - b).abs() < 1e-12));
/// ```
pub fn gradient_of_slices(alphas: &[f64], means: &[f64], icf: &[f64], x: &[f64], prior: &Wishart) -> (f64, Vec<f64>) {
    let components = alphas.len();
    let (d, f) = (means.len() / components, icf.len() / components);
    let diagonals: Vec<f64> = icf.chunks_exact(f).flat_map(|icf| &icf[..d]).map(|icf| icf.exp()).collect();
    let offsets: Vec<f64> =
        alphas.iter().zip(icf.chunks_exact(f)).map(|(alpha, icf)| alpha + icf[..d].iter().sum::<f64>()).collect();
    let all_weights = log_sum_exp(alphas);
    let (points, square, m) = ((x.len() / d) as f64, prior.gamma * prior.gamma, f64::from(prior.m));

    let mut total = prior.constant::<f64>(x.len() / d, d, components) - points * all_weights;
    let mut g = vec![0.0; alphas.len() + means.len() + icf.len()];
    let (g_alphas, rest) = g.split_at_mut(alphas.len());
    let (g_means, g_icf) = rest.split_at_mut(means.len());
    let (mut q, mut terms) = (vec![0.0; means.len()], offsets.clone());
    for x in x.chunks_exact(d) {
        q.fill(0.0);
        for (k, q) in q.chunks_exact_mut(d).enumerate() {
            whiten(q, x, &means[d * k..], &diagonals[d * k..], &icf[f * k + d..f * (k + 1)]);
            terms[k] = offsets[k] - 0.5 * q.iter().map(|q| q * q).sum::<f64>();
        }
        let shift = largest(&terms);
        let mut sum = 0.0;
        for term in &mut terms {
            *term = (*term - shift).exp();
            sum += *term;
        }
        total += sum.ln() + shift;
        let per_sum = 1.0 / sum;
        for (k, q) in q.chunks_exact_mut(d).enumerate() {
            let share = terms[k] * per_sum;
            g_alphas[k] += share;
            for q in &mut *q {
                *q *= -share;
            }
            let (g_mean, g_icf) = (&mut g_means[d * k..], &mut g_icf[f * k..f * (k + 1)]);
            pull(q, x, &means[d * k..], g_mean, &diagonals[d * k..], &icf[f * k + d..f * (k + 1)], g_icf);
        }
    }
    for k in 0..components {
        for i in 0..d {
            let (diagonal, g) = (diagonals[d * k + i], &mut g_icf[f * k + i]);
            *g = (*g + square * diagonal) * diagonal + g_alphas[k] - m;
            total += 0.5 * square * diagonal * diagonal - m * icf[f * k + i];
        }
        for i in f * k + d..f * (k + 1) {
            g_icf[i] += square * icf[i];
            total += 0.5 * square * icf[i] * icf[i];
        }
        g_alphas[k] -= points * (alphas[k] - all_weights).exp();
    }
    (total, g)
}
