//! A net of fully connected layers, and how far it is from what it should say.

use retrograd::prelude::*;

use super::{Input, Lossy, Tape, constants};
use crate::yardsticks::data::Random;

/// The sum of the squared errors of a net over all samples.
///
/// ```
/// use lab_corpus::lossy::network::network;
///
/// assert_eq!(network(&[[[1.0]]], &[[0.0]], &[[0.0]], &[[2.0]]), 4.0);
/// ```
#[reversible(record)]
pub fn network<T: Real, const N: usize>(
    weights: &[[[T; N]; N]],
    biases: &[[T; N]],
    #[constant] samples: &[[T; N]],
    #[constant] targets: &[[T; N]],
) -> T {
    let mut loss = T::zero();
    for n in 0..samples.len() {
        let mut x = samples[n];
        for l in 0..weights.len() {
            let mut sums = biases[l];
            for i in 0..N {
                for j in 0..N {
                    sums[i] += weights[l][i][j] * x[j];
                }
            }
            for i in 0..N {
                x[i] = sums[i].tanh();
            }
        }
        for i in 0..N {
            let error = x[i] - targets[n][i];
            loss += error * error;
        }
    }
    loss
}

/// The same with what all layers say about a sample kept in an array.
///
/// ```
/// use lab_corpus::lossy::network::network_reversible;
///
/// assert_eq!(network_reversible(&[[[1.0]]], &[[0.0]], &[[0.0]], &[[2.0]]), 4.0);
/// ```
#[reversible]
pub fn network_reversible<T: Real, const N: usize>(
    weights: &[[[T; N]; N]],
    biases: &[[T; N]],
    #[constant] samples: &[[T; N]],
    #[constant] targets: &[[T; N]],
) -> T {
    let mut loss = T::zero();
    for n in 0..samples.len() {
        let mut x = vec![[T::zero(); N]; weights.len() + 1];
        for i in 0..N {
            x[0][i] += samples[n][i];
        }
        for l in 0..weights.len() {
            let mut sums = biases[l];
            for i in 0..N {
                for j in 0..N {
                    sums[i] += weights[l][i][j] * x[l][j];
                }
            }
            for i in 0..N {
                x[l + 1][i] += sums[i].tanh();
            }
        }
        for i in 0..N {
            let error = x[weights.len()][i] - targets[n][i];
            loss += error * error;
        }
    }
    loss
}

/// How many numbers go from layer to layer.
const WIDTH: usize = 16;
/// How many layers there are.
const LAYERS: usize = 6;

type Row = [f64; WIDTH];

fn plain(weights: &[[Row; WIDTH]], biases: &[Row], samples: &[Row], targets: &[Row]) -> f64 {
    let mut loss = 0.0;
    for (sample, target) in samples.iter().zip(targets) {
        let mut x = *sample;
        for (weights, biases) in weights.iter().zip(biases) {
            let mut sums = *biases;
            for (sum, row) in sums.iter_mut().zip(weights) {
                for (weight, x) in row.iter().zip(&x) {
                    *sum += weight * x;
                }
            }
            x = sums.map(f64::tanh);
        }
        for (x, target) in x.iter().zip(target) {
            loss += (x - target) * (x - target);
        }
    }
    loss
}

fn by_hand(
    tape: &mut Tape,
    (weights, biases): (&[[Row; WIDTH]], &[Row]),
    (samples, targets): (&[Row], &[Row]),
    (g_weights, g_biases): (&mut [[Row; WIDTH]], &mut [Row]),
) -> f64 {
    let mut loss = 0.0;
    for (sample, target) in samples.iter().zip(targets) {
        let mut x = *sample;
        for (weights, biases) in weights.iter().zip(biases) {
            tape.push(x);
            let mut sums = *biases;
            for (sum, row) in sums.iter_mut().zip(weights) {
                for (weight, x) in row.iter().zip(&x) {
                    *sum += weight * x;
                }
            }
            x = sums.map(f64::tanh);
        }
        tape.push(x);
        for (x, target) in x.iter().zip(target) {
            loss += (x - target) * (x - target);
        }
    }
    tape.turn();
    for target in targets.iter().rev() {
        let mut x: Row = tape.pop();
        let mut g: Row = std::array::from_fn(|i| 2.0 * (x[i] - target[i]));
        for ((weights, g_weights), g_biases) in weights.iter().zip(&mut *g_weights).zip(&mut *g_biases).rev() {
            let g_sums: Row = std::array::from_fn(|i| g[i] * (1.0 - x[i] * x[i]));
            x = tape.pop();
            g = [0.0; WIDTH];
            for i in 0..WIDTH {
                g_biases[i] += g_sums[i];
                for j in 0..WIDTH {
                    g[j] += g_sums[i] * weights[i][j];
                    g_weights[i][j] += g_sums[i] * x[j];
                }
            }
        }
    }
    loss
}

/// Weights and biases of numbers in a row.
fn parts<T>(x: &[T]) -> (&[[[T; WIDTH]; WIDTH]], &[[T; WIDTH]]) {
    let (weights, biases) = x.split_at(LAYERS * WIDTH * WIDTH);
    (weights.as_chunks().0.as_chunks().0, biases.as_chunks().0)
}

/// The same, to be changed.
fn parts_mut(x: &mut [f64]) -> (&mut [[Row; WIDTH]], &mut [Row]) {
    let (weights, biases) = x.split_at_mut(LAYERS * WIDTH * WIDTH);
    (weights.as_chunks_mut().0.as_chunks_mut().0, biases.as_chunks_mut().0)
}

/// Samples and targets.
fn samples<T>(data: &[T]) -> (&[[T; WIDTH]], &[[T; WIDTH]]) {
    let rows = data.as_chunks().0;
    rows.split_at(rows.len() / 2)
}

pub(super) const LOSSY: Lossy = Lossy {
    name: "net of 6 layers",
    input: |steps| {
        let mut random = Random::new(6);
        let mut numbers = |count| (0..count).map(|_| random.between(-0.5, 0.5)).collect();
        Input { x: numbers(LAYERS * WIDTH * (WIDTH + 1)), data: numbers(2 * steps * WIDTH), steps }
    },
    steps: 20,
    plain: |Input { x, data, .. }| {
        let ((weights, biases), (samples, targets)) = (parts(x), samples(data));
        plain(weights, biases, samples, targets)
    },
    by_hand: |tape, Input { x, data, .. }, g| by_hand(tape, parts(x), samples(data), parts_mut(g)),
    recorded: |record, Input { x, data, .. }, g| {
        let ((weights, biases), (samples, targets)) = (parts(x), samples(data));
        let (g_weights, g_biases) = parts_mut(g);
        network::pullback_in(record, (weights, g_weights), (biases, g_biases), samples, targets, 1.0)
    },
    reversible: |Input { x, data, .. }, g| {
        let ((weights, biases), (samples, targets)) = (parts(x), samples(data));
        let (g_weights, g_biases) = parts_mut(g);
        network_reversible::pullback((weights, g_weights), (biases, g_biases), samples, targets, 1.0)
    },
    dual: |Input { data, .. }, x| {
        let ((weights, biases), data) = (parts(x), constants(data));
        let (samples, targets) = samples(&data);
        network(weights, biases, samples, targets)
    },
};
