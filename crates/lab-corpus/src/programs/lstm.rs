//! The loss of a recurrent net with long short-term memory: an objective of the benchmark suite ADBench.
//!
//! The net reads characters of `B` bits, one after the other, and predicts the next one. Each layer has a hidden value and
//! a cell for each bit, and no bit has weights for another. A layer forgets: its cells shrink, and what they were could be
//! found again only with errors that grow by the same factors. So the states of all times are kept.
//!
//! All parameters stand as in the files of the suite, so that its vectors can be cut up into them.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// Where the weights of the four gates of a layer stand. The numbers that are added stand as many rows later.
const GATES: usize = 4;
/// What is kept of the cells.
const FORGET: usize = 0;
/// What the change of the cells is multiplied by.
const INGATE: usize = 1;
/// What the hidden values are multiplied by.
const OUTGATE: usize = 2;
/// The change of the cells.
const CHANGE: usize = 3;

/// Where the hidden values of a layer stand in its state.
const HIDDEN: usize = 0;
/// Where the cells stand.
const CELL: usize = 1;

/// From all numbers to those between 0 and 1.
#[reversible]
fn logistic<T: Real>(x: T) -> T {
    1.0 / (1.0 + (-x).exp())
}

/// Adds the state of a layer after it has read `input` to `after`, which is zero at the start. `before` is the state
/// before that.
///
/// ```
/// use lab_corpus::programs::lstm::advance;
///
/// // Without weights, all gates are half open, and nothing changes but what is forgotten.
/// let mut after = [[0.0], [0.0]];
/// advance(&mut after, &[[7.0], [2.0]], &[5.0], &[[0.0]; 8]);
/// assert_eq!(after, [[0.5 * 1.0_f64.tanh()], [1.0]]);
/// ```
#[reversible]
pub fn advance<T: Real, const B: usize>(
    after: &mut [[T; B]; 2],
    before: &[[T; B]; 2],
    input: &[T; B],
    layer: &[[T; B]; 8],
) {
    for i in 0..B {
        let forget = logistic(input[i] * layer[FORGET][i] + layer[GATES + FORGET][i]);
        let ingate = logistic(before[HIDDEN][i] * layer[INGATE][i] + layer[GATES + INGATE][i]);
        let outgate = logistic(input[i] * layer[OUTGATE][i] + layer[GATES + OUTGATE][i]);
        let change = (before[HIDDEN][i] * layer[CHANGE][i] + layer[GATES + CHANGE][i]).tanh();
        after[CELL][i] += before[CELL][i] * forget + ingate * change;
        after[HIDDEN][i] += outgate * after[CELL][i].tanh();
    }
}

/// How likely the net finds the character `next`, as a logarithm. `hidden` is what the last layer says, and `weights` and
/// `bias` make it a score for each bit. The suite adds two to the sum of exponentials.
///
/// ```
/// use lab_corpus::programs::lstm::log_likelihood;
///
/// let value: f64 = log_likelihood(&[1.0, 1.0], &[0.0, 3.0], &[0.0, -3.0], &[1.0, 0.0]);
/// assert!((value + 4.0_f64.ln()).abs() < 1e-15);
/// ```
#[reversible]
pub fn log_likelihood<T: Real, const B: usize>(
    hidden: &[T; B],
    weights: &[T; B],
    bias: &[T; B],
    #[constant] next: &[T; B],
) -> T {
    let mut scores = *bias;
    let mut sum = T::lit(2.0);
    for i in 0..B {
        scores[i] += hidden[i] * weights[i];
        sum += scores[i].exp();
    }
    let normaliser = sum.ln();
    let mut total = T::zero();
    for i in 0..B {
        total += next[i] * (scores[i] - normaliser);
    }
    total
}

/// The loss of a sequence: how unlikely the net finds each character after those before it, as a mean over all bits.
///
/// `layers` are the parameters of each layer, `extra` the weights of the inputs, and weights and bias of the
/// outputs, `start` the state of each layer before the first character.
///
/// ```
/// use lab_corpus::programs::lstm::objective;
///
/// // Without weights all scores are zero, and each of the two bits has the likelihood 1/4.
/// let value: f64 = objective(&[[[0.0; 2]; 8]], &[[0.0; 2]; 3], &[[[0.0; 2]; 2]], &[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
/// assert!((value - 0.75 * 4.0_f64.ln()).abs() < 1e-15);
/// ```
#[reversible]
pub fn objective<T: Real, const B: usize>(
    layers: &[[[T; B]; 8]],
    extra: &[[T; B]; 3],
    #[constant] start: &[[[T; B]; 2]],
    #[constant] sequence: &[[T; B]],
) -> T {
    let (count, steps) = (layers.len(), sequence.len() - 1);
    let mut states = vec![[[T::zero(); B]; 2]; count * (steps + 1)];
    for k in 0..count {
        for i in 0..B {
            states[k][HIDDEN][i] += start[k][HIDDEN][i];
            states[k][CELL][i] += start[k][CELL][i];
        }
    }
    let mut inputs = vec![[T::zero(); B]; steps];
    let mut total = T::zero();
    for t in 0..steps {
        for i in 0..B {
            inputs[t][i] += sequence[t][i] * extra[0][i];
        }
        let (before, after) = (count * t, count * (t + 1));
        advance(&mut states[after], &states[before], &inputs[t], &layers[0]);
        for k in 1..count {
            advance(&mut states[after + k], &states[before + k], &states[after + k - 1][HIDDEN], &layers[k]);
        }
        total += log_likelihood(&states[after + count - 1][HIDDEN], &extra[1], &extra[2], &sequence[t + 1]);
    }
    -total / (B * steps) as T
}

/// Adds the loss of a sequence to `loss`, as [`objective()`] has it.
///
/// ```
/// use lab_corpus::programs::lstm::lstm;
///
/// let (mut loss, sequence) = (1.0, [[1.0, 0.0], [0.0, 1.0]]);
/// lstm(&mut loss, &[[[0.0; 2]; 8]], &[[0.0; 2]; 3], &[[[0.0; 2]; 2]], &sequence);
/// assert!((loss - (1.0 + 0.5 * 4.0_f64.ln())).abs() < 1e-15);
/// lstm::uncall(&mut loss, &[[[0.0; 2]; 8]], &[[0.0; 2]; 3], &[[[0.0; 2]; 2]], &sequence);
/// assert_eq!(loss, 1.0);
/// ```
#[reversible]
pub fn lstm<T: Real, const B: usize>(
    loss: &mut T,
    layers: &[[[T; B]; 8]],
    extra: &[[T; B]; 3],
    #[constant] start: &[[[T; B]; 2]],
    #[constant] sequence: &[[T; B]],
) {
    *loss += objective(layers, extra, start, sequence);
}

pub(super) const ENTRY: Entry = Entry {
    name: "lstm",
    about: "adds the loss of a net that predicts characters; it forgets, so that all its states are kept",
    source: lstm::source,
    demo: || {
        let (layers, extra) = ([[[0.5, -0.25]; 8]; 2], [[1.0, 2.0], [0.5, 1.5], [0.1, 0.2]]);
        let (start, sequence) = ([[[0.0; 2]; 2]; 2], [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
        Demo::new(
            0.0,
            |loss: &mut f64| lstm(loss, &layers, &extra, &start, &sequence),
            |loss| lstm::uncall(loss, &layers, &extra, &start, &sequence),
            |loss| format!("loss = {}, sequence = {sequence:?}", rounded(&[*loss])[0]),
        )
    },
};
