//! Coupling layers, the likelihood that they give, and its gradient by hand, which keeps the values of all layers.

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

/// Adds the derivatives of the logarithm of the density to `g_layers` and `g_scales`, and returns it and the gradient by `x`.
///
/// As textbooks do it, this keeps what each layer read and its hidden units until the way back.
///
/// ```
/// use lab_corpus::programs::nice::Coupling;
/// use lab_corpus::yardsticks::nice::gradient;
///
/// // A normal distribution: its logarithm falls with −x.
/// let layers: [Coupling<f64, 1, 1>; 0] = [];
/// let mut g_scales = [[0.0]; 2];
/// let (_, g_x) = gradient(&[[0.5], [2.0]], (&layers, &mut []), (&[[0.0]; 2], &mut g_scales));
/// assert_eq!((g_x, g_scales), ([[-0.5], [-2.0]], [[0.75], [-3.0]]));
/// ```
pub fn gradient<const D: usize, const H: usize>(
    x: &[[f64; D]; 2],
    (layers, g_layers): (&[Coupling<f64, D, H>], &mut [Coupling<f64, D, H>]),
    (scales, g_scales): (&[[f64; D]; 2], &mut [[f64; D]; 2]),
) -> (f64, [[f64; D]; 2]) {
    let [mut reads, mut changes] = *x;
    let mut kept = Vec::with_capacity(layers.len());
    for Coupling { inner, inner_bias, outer, outer_bias } in layers {
        let hidden: [f64; H] = std::array::from_fn(|h| (inner_bias[h] + dot(&inner[h], &reads)).tanh());
        kept.push((reads, hidden));
        let changed = std::array::from_fn(|c| changes[c] + outer_bias[c] + dot(&outer[c], &hidden));
        (reads, changes) = (changed, reads);
    }
    let in_order = |[a, b]: [[f64; D]; 2]| if layers.len().is_multiple_of(2) { [a, b] } else { [b, a] };
    let mut halves = in_order([reads, changes]);
    let mut value = 0.0;
    let of_scales = scales.as_flattened().iter().zip(g_scales.as_flattened_mut());
    for (x, (scale, g_scale)) in halves.as_flattened_mut().iter_mut().zip(of_scales) {
        let z = *x * scale.exp();
        value += scale - 0.5 * z * z - 0.5 * TAU.ln();
        *g_scale += 1.0 - z * z;
        *x = -z * scale.exp();
    }
    // From here on these are adjoints.
    [reads, changes] = in_order(halves);
    for ((layer, g), (read, hidden)) in layers.iter().zip(g_layers).zip(kept).rev() {
        let (changed, mut g_read) = (reads, changes);
        for (c, changed) in changed.iter().enumerate() {
            g.outer_bias[c] += changed;
            g.outer[c].iter_mut().zip(&hidden).for_each(|(g, hidden)| *g += changed * hidden);
        }
        for (h, unit) in hidden.iter().enumerate() {
            let g_unit: f64 = layer.outer.iter().zip(&changed).map(|(outer, changed)| outer[h] * changed).sum();
            let g_input = g_unit * (1.0 - unit * unit);
            g.inner_bias[h] += g_input;
            for c in 0..D {
                g.inner[h][c] += g_input * read[c];
                g_read[c] += g_input * layer.inner[h][c];
            }
        }
        (reads, changes) = (g_read, changed);
    }
    (value, [reads, changes])
}
