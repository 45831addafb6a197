//! The gradient by hand, with a tape.
//!
//! Points do not depend on each other, so that there is a [gradient](crate::yardsticks::gaussian_mixture::gradient()) without a tape
//! too: it goes back from each of them at once. This one goes through all and then back, as a record does.

use crate::lossy::Tape;
use crate::programs::gaussian_mixture::Wishart;
use crate::yardsticks::data::Parameters;
use crate::yardsticks::gaussian_mixture::{
    Prepared, beside_points, largest, pull_beside_points, pull_factor, pull_mean, whitened,
};

/// Of each point, Q·(x − mean) and the share of each component are kept.
pub(super) fn gradient<const D: usize, const F: usize, const K: usize>(
    tape: &mut Tape,
    parameters: &Parameters<D, F, K>,
    x: &[[f64; D]],
    prior: &Wishart,
    g: &mut [f64],
) -> f64 {
    let Parameters { means, icf, .. } = parameters;
    let Prepared { offsets, diagonals } = Prepared::new(parameters);
    let mut total = beside_points(parameters, x.len(), prior, &diagonals);
    for x in x {
        let mut terms = [0.0; K];
        for k in 0..K {
            let q = whitened(x, &means[k], &diagonals[k], &icf[k]);
            tape.push(q);
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
        tape.push(terms.map(|term| term * per_sum));
    }
    tape.turn();
    let mut sums = Parameters::ZERO;
    for x in x.iter().rev() {
        let shares: [f64; K] = tape.pop();
        for k in (0..K).rev() {
            sums.alphas[k] += shares[k];
            let g_q = tape.pop().map(|q: f64| -shares[k] * q);
            let centred = std::array::from_fn(|i| x[i] - means[k][i]);
            pull_factor(&g_q, &centred, &mut sums.icf[k]);
            pull_mean(&g_q, &diagonals[k], &icf[k], &mut sums.means[k]);
        }
    }
    pull_beside_points(parameters, x.len(), prior, &diagonals, &mut sums);
    let sums = sums.alphas.iter().chain(sums.means.as_flattened()).chain(sums.icf.as_flattened());
    g.iter_mut().zip(sums).for_each(|(g, sum)| *g += sum);
    total
}
