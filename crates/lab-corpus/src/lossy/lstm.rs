//! The loss of a recurrent net with long short-term memory, from the benchmark suite ADBench, as its states change in place.
//!
//! The reversible form is that of [`programs::lstm`](crate::programs::lstm), where parameters and states are explained.

mod hand;
mod natural;

pub(super) use natural::NATURAL;
pub use natural::lstm_natural;

use retrograd::prelude::*;

use super::{Input, Lossy, array, array_mut, constants};
use crate::programs::lstm::objective;
use crate::yardsticks::adbench::net::Net;

/// The loss of a sequence: how unlikely the net finds each character after those before it, as a mean over all bits.
///
/// ```
/// use lab_corpus::lossy::lstm::lstm;
///
/// // Without weights all scores are zero, and each of the two bits has the likelihood 1/4.
/// let value: f64 = lstm(&[[[0.0; 2]; 8]], &[[0.0; 2]; 3], &[[[0.0; 2]; 2]], &[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
/// assert!((value - 0.75 * 4.0_f64.ln()).abs() < 1e-15);
/// ```
#[reversible(record)]
pub fn lstm<T: Real, const B: usize, const L: usize>(
    layers: &[[[T; B]; 8]; L],
    extra: &[[T; B]; 3],
    #[constant] start: &[[[T; B]; 2]; L],
    #[constant] sequence: &[[T; B]],
) -> T {
    // From all numbers to those between 0 and 1.
    let logistic = |x: T| 1.0 / (1.0 + (-x).exp());
    let mut hidden = [[T::zero(); B]; L];
    let mut cell = [[T::zero(); B]; L];
    for k in 0..L {
        hidden[k] = start[k][0];
        cell[k] = start[k][1];
    }
    let mut total = T::zero();
    for t in 1..sequence.len() {
        for k in 0..L {
            for i in 0..B {
                let input = if k == 0 { sequence[t - 1][i] * extra[0][i] } else { hidden[k - 1][i] };
                let forget = logistic(input * layers[k][0][i] + layers[k][4][i]);
                let ingate = logistic(hidden[k][i] * layers[k][1][i] + layers[k][5][i]);
                let change = (hidden[k][i] * layers[k][3][i] + layers[k][7][i]).tanh();
                cell[k][i] = cell[k][i] * forget + ingate * change;
            }
            for i in 0..B {
                let input = if k == 0 { sequence[t - 1][i] * extra[0][i] } else { hidden[k - 1][i] };
                let outgate = logistic(input * layers[k][2][i] + layers[k][6][i]);
                hidden[k][i] = outgate * cell[k][i].tanh();
            }
        }
        let mut scores = extra[2];
        let mut sum = T::lit(2.0);
        for i in 0..B {
            scores[i] += hidden[L - 1][i] * extra[1][i];
            sum += scores[i].exp();
        }
        let normaliser = sum.ln();
        for i in 0..B {
            total += sequence[t][i] * (scores[i] - normaliser);
        }
    }
    -total / (B * (sequence.len() - 1)) as T
}

/// How many bits a character has.
const BITS: usize = 14;
/// How many layers there are.
const LAYERS: usize = 2;

type Row<T> = [T; BITS];

/// The parameters of all layers, and the others, of numbers in a row.
fn parts<T>(x: &[T]) -> (&[[Row<T>; 8]; LAYERS], &[Row<T>; 3]) {
    let (layers, extra) = x.split_at(LAYERS * 8 * BITS);
    (array(layers.as_chunks().0.as_chunks().0).0, array(extra.as_chunks().0).0)
}

/// The same, to be changed.
fn parts_mut(x: &mut [f64]) -> (&mut [[Row<f64>; 8]; LAYERS], &mut [Row<f64>; 3]) {
    let (layers, extra) = x.split_at_mut(LAYERS * 8 * BITS);
    (array_mut(layers.as_chunks_mut().0.as_chunks_mut().0).0, array_mut(extra.as_chunks_mut().0).0)
}

/// The first states, and the sequence.
fn data_parts<T>(data: &[T]) -> (&[[Row<T>; 2]; LAYERS], &[Row<T>]) {
    let (start, sequence) = data.split_at(LAYERS * 2 * BITS);
    (array(start.as_chunks().0.as_chunks().0).0, sequence.as_chunks().0)
}

pub(super) const LOSSY: Lossy = Lossy {
    name: "LSTM of ADBench",
    input: |steps| {
        let Net { layers, extra, start, sequence } = Net::<BITS>::new(LAYERS, steps + 1);
        Input {
            x: [layers.as_flattened().as_flattened(), extra.as_flattened()].concat(),
            data: [start.as_flattened().as_flattened(), sequence.as_flattened()].concat(),
            steps,
        }
    },
    steps: 200,
    plain: |Input { x, data, .. }| hand::plain(parts(x), data_parts(data)),
    by_hand: |tape, Input { x, data, .. }, g| hand::gradient(tape, parts(x), data_parts(data), parts_mut(g)),
    recorded: |record, Input { x, data, .. }, g| {
        let ((layers, extra), (start, sequence)) = (parts(x), data_parts(data));
        let (g_layers, g_extra) = parts_mut(g);
        lstm::pullback_in(record, (layers, g_layers), (extra, g_extra), start, sequence, 1.0)
    },
    reversible: |Input { x, data, .. }, g| {
        let ((layers, extra), (start, sequence)) = (parts(x), data_parts(data));
        let (g_layers, g_extra) = parts_mut(g);
        objective::pullback((layers, g_layers), (extra, g_extra), start, sequence, 1.0)
    },
    dual: |Input { data, .. }, x| {
        let ((layers, extra), data) = (parts(x), constants(data));
        let (start, sequence) = data_parts(&data);
        lstm(layers, extra, start, sequence)
    },
};
