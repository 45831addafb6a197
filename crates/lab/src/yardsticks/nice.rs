//! Coupling layers, and the likelihood that they give.

use std::f64::consts::TAU;

use super::Number;
use super::matvec::dot;
use crate::programs::nice::Coupling;

/// Maps both halves of a vector, as [`nice`](crate::programs::nice::nice()) does.
#[inline]
pub fn nice<N: Number, const D: usize, const H: usize>(
    x: &[[N; D]; 2],
    layers: &[Coupling<N, D, H>],
    scales: &[[N; D]; 2],
) -> [[N; D]; 2] {
    let [mut reads, mut changes] = *x;
    for Coupling { inner, inner_bias, outer, outer_bias } in layers {
        let hidden: [N; H] = std::array::from_fn(|h| (inner_bias[h] + dot(&inner[h], &reads)).tanh());
        let changed = std::array::from_fn(|c| changes[c] + outer_bias[c] + dot(&outer[c], &hidden));
        (reads, changes) = (changed, reads);
    }
    let mut halves = if layers.len().is_multiple_of(2) { [reads, changes] } else { [changes, reads] };
    for (x, &scale) in halves.as_flattened_mut().iter_mut().zip(scales.as_flattened()) {
        *x = *x * scale.exp();
    }
    halves
}

/// The logarithm of the density, as [`log_likelihood`](crate::programs::nice::log_likelihood()) has it.
#[inline]
pub fn log_likelihood<N: Number, const D: usize, const H: usize>(
    x: &[[N; D]; 2],
    layers: &[Coupling<N, D, H>],
    scales: &[[N; D]; 2],
) -> N {
    let z = nice(x, layers, scales);
    let terms = z.as_flattened().iter().zip(scales.as_flattened());
    terms.fold(N::constant(0.0), |sum, (&z, &scale)| sum + scale - z * z * 0.5 - 0.5 * TAU.ln())
}
