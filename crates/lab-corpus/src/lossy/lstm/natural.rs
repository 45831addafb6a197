//! The same with the input of each layer in an array of its own.

use retrograd::prelude::*;

use super::{LOSSY, data_parts, parts, parts_mut};
use crate::lossy::{Input, Lossy, constants};

/// The loss of a sequence.
///
/// ```
/// use lab_corpus::lossy::lstm::lstm_natural;
///
/// let value: f64 =
///     lstm_natural(&[[[0.0; 2]; 8]], &[[0.0; 2]; 3], &[[[0.0; 2]; 2]], &[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
/// assert!((value - 0.75 * 4.0_f64.ln()).abs() < 1e-15);
/// ```
#[reversible(record)]
pub fn lstm_natural<T: Real, const B: usize, const L: usize>(
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
        let mut input = sequence[t - 1];
        for i in 0..B {
            input[i] *= extra[0][i];
        }
        for k in 0..L {
            for i in 0..B {
                let forget = logistic(input[i] * layers[k][0][i] + layers[k][4][i]);
                let ingate = logistic(hidden[k][i] * layers[k][1][i] + layers[k][5][i]);
                let outgate = logistic(input[i] * layers[k][2][i] + layers[k][6][i]);
                let change = (hidden[k][i] * layers[k][3][i] + layers[k][7][i]).tanh();
                cell[k][i] = cell[k][i] * forget + ingate * change;
                hidden[k][i] = outgate * cell[k][i].tanh();
            }
            input = hidden[k];
        }
        let mut scores = extra[2];
        let mut sum = T::lit(2.0);
        for i in 0..B {
            scores[i] += input[i] * extra[1][i];
            sum += scores[i].exp();
        }
        let normaliser = sum.ln();
        for i in 0..B {
            total += sequence[t][i] * (scores[i] - normaliser);
        }
    }
    -total / (B * (sequence.len() - 1)) as T
}

pub(in crate::lossy) const NATURAL: Lossy = Lossy {
    name: "LSTM of ADBench, natural",
    recorded: |record, Input { x, data, .. }, g| {
        let ((layers, extra), (start, sequence)) = (parts(x), data_parts(data));
        let (g_layers, g_extra) = parts_mut(g);
        lstm_natural::pullback_in(record, (layers, g_layers), (extra, g_extra), start, sequence, 1.0)
    },
    dual: |Input { data, .. }, x| {
        let ((layers, extra), data) = (parts(x), constants(data));
        let (start, sequence) = data_parts(&data);
        lstm_natural(layers, extra, start, sequence)
    },
    ..LOSSY
};
