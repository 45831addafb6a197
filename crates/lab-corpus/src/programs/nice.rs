//! Coupling layers: a network that is a bijection, so that it says how likely its inputs are, and makes new ones backwards.
//!
//! The model is that of the paper on non-linear independent components estimation, NICE. A vector has two halves of `D`
//! elements. Each layer changes one half by what a small net computes from the other: whatever that net is, the change
//! can be subtracted again. A pullback through any number of layers keeps no layer's values.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// A net with `H` hidden units, which computes the change of one half from the other.
#[derive(Active, Clone, Copy, Debug, PartialEq)]
pub struct Coupling<T, const D: usize, const H: usize> {
    /// The weights of the inputs, for each hidden unit.
    pub inner: [[T; D]; H],
    /// What is added to each hidden unit.
    pub inner_bias: [T; H],
    /// The weights of the hidden units, for each output.
    pub outer: [[T; H]; D],
    /// What is added to each output.
    pub outer_bias: [T; D],
}

/// Adds what the net of a layer computes from `x` to `y`.
///
/// ```
/// use lab_corpus::programs::nice::{Coupling, couple};
///
/// let layer = Coupling { inner: [[1.0]], inner_bias: [0.5], outer: [[3.0]], outer_bias: [1.0] };
/// let mut y = [10.0];
/// couple(&mut y, &[-0.5], &layer);
/// assert_eq!(y, [11.0]); // tanh(0) = 0
/// ```
#[reversible]
pub fn couple<T: Real, const D: usize, const H: usize>(y: &mut [T; D], x: &[T; D], layer: &Coupling<T, D, H>) {
    let mut inputs = layer.inner_bias;
    let mut hidden = [T::zero(); H];
    for h in 0..H {
        for c in 0..D {
            inputs[h] += layer.inner[h][c] * x[c];
        }
        hidden[h] += inputs[h].tanh();
    }
    for c in 0..D {
        y[c] += layer.outer_bias[c];
        for h in 0..H {
            y[c] += layer.outer[c][h] * hidden[h];
        }
    }
}

/// Maps both halves of `x` in place: layers in turn change the second half and the first, and at last each element is
/// scaled by the exponential of its number in `scales`.
///
/// ```
/// use lab_corpus::programs::nice::{Coupling, nice};
///
/// let layer = Coupling { inner: [[1.0]], inner_bias: [0.0], outer: [[1.0]], outer_bias: [0.0] };
/// let mut x = [[0.5], [0.25]];
/// nice(&mut x, &[layer], &[[0.0], [0.0]]);
/// assert_eq!(x, [[0.5], [0.25 + 0.5_f64.tanh()]]);
/// nice::uncall(&mut x, &[layer], &[[0.0], [0.0]]);
/// assert!(x[0] == [0.5] && (x[1][0] - 0.25).abs() < 1e-15);
/// ```
#[reversible]
pub fn nice<T: Real, const D: usize, const H: usize>(
    x: &mut [[T; D]; 2],
    layers: &[Coupling<T, D, H>],
    scales: &[[T; D]; 2],
) {
    for k in 0..layers.len() {
        couple(&mut x[1 - k % 2], &x[k % 2], &layers[k]);
    }
    for half in 0..2 {
        for c in 0..D {
            x[half][c] *= scales[half][c].exp();
        }
    }
}

/// The logarithm of the density at `x`, if what [`nice()`] maps it to is distributed normally.
///
/// Coupling layers keep volumes, so that the logarithm of the determinant is the sum of the `scales`.
///
/// ```
/// use lab_corpus::programs::nice::{Coupling, log_likelihood};
///
/// // Without any layer and stretched by two, it is the normal distribution with the deviation 1/2.
/// let layers: [Coupling<f64, 1, 1>; 0] = [];
/// let value = log_likelihood(&[[0.0], [0.5]], &layers, &[[2.0_f64.ln()]; 2]);
/// assert!((value - ((2.0 / std::f64::consts::PI).ln() - 0.5)).abs() < 1e-15);
/// ```
#[reversible]
pub fn log_likelihood<T: Real, const D: usize, const H: usize>(
    x: &[[T; D]; 2],
    layers: &[Coupling<T, D, H>],
    scales: &[[T; D]; 2],
) -> T {
    let mut z = *x;
    nice(&mut z, layers, scales);
    let mut total = T::zero();
    for half in 0..2 {
        for c in 0..D {
            total += scales[half][c] - 0.5 * z[half][c].square() - 0.5 * T::lit(std::f64::consts::TAU).ln();
        }
    }
    total
}

pub(super) const ENTRY: Entry = Entry {
    name: "nice",
    about: "maps a vector by coupling layers, which change one half by what a net computes from the other",
    source: nice::source,
    demo: || {
        let layer = Coupling {
            inner: [[1.0, -0.5], [0.5, 2.0]],
            inner_bias: [0.1, -0.2],
            outer: [[0.7, -1.0], [1.5, 0.3]],
            outer_bias: [0.0, 0.4],
        };
        let (layers, scales) = ([layer; 4], [[0.1, -0.2], [0.3, 0.0]]);
        Demo::new(
            [[1.0, 2.0], [-1.0, 0.5]],
            |x: &mut [[f64; 2]; 2]| nice(x, &layers, &scales),
            |x| nice::uncall(x, &layers, &scales),
            |x| format!("x = {:?}", x.map(|half| rounded(&half))),
        )
    },
};
