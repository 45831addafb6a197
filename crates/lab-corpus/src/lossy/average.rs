//! Exponential smoothing: how badly a moving average predicts the next number.

use retrograd::prelude::*;

use super::{Input, Lossy, Tape, array, array_mut};

/// The sum of the squared errors of an exponential moving average with the weight `alpha` for each new number.
///
/// ```
/// use lab_corpus::lossy::average::average;
///
/// assert_eq!(average::gradient(0.5, &[1.0, 3.0, 2.0]), (4.0, 0.0, vec![-4.0, 4.0, 0.0]));
/// ```
#[reversible(record)]
pub fn average<T: Real>(alpha: T, data: &[T]) -> T {
    let mut mean = data[0];
    let mut loss = T::zero();
    for i in 1..data.len() {
        let error = data[i] - mean;
        loss += error * error;
        mean = (1.0 - alpha) * mean + alpha * data[i];
    }
    loss
}

/// The same with all averages kept in an array.
///
/// ```
/// use lab_corpus::lossy::average::average_reversible;
///
/// assert_eq!(average_reversible(0.5, &[1.0, 3.0, 2.0]), 4.0);
/// ```
#[reversible]
pub fn average_reversible<T: Real>(alpha: T, data: &[T]) -> T {
    let mut mean = vec![T::zero(); data.len()];
    mean[0] += data[0];
    let mut loss = T::zero();
    for i in 1..data.len() {
        let error = data[i] - mean[i - 1];
        loss += error * error;
        mean[i] += (1.0 - alpha) * mean[i - 1] + alpha * data[i];
    }
    loss
}

fn plain(alpha: f64, data: &[f64]) -> f64 {
    let (mut mean, mut loss) = (data[0], 0.0);
    for x in &data[1..] {
        let error = x - mean;
        loss += error * error;
        mean = (1.0 - alpha) * mean + alpha * x;
    }
    loss
}

fn by_hand(tape: &mut Tape, alpha: f64, data: &[f64], g_alpha: &mut f64, g_data: &mut [f64]) -> f64 {
    let (mut mean, mut loss) = (data[0], 0.0);
    for x in &data[1..] {
        let error = x - mean;
        loss += error * error;
        tape.push([mean]);
        mean = (1.0 - alpha) * mean + alpha * x;
    }
    tape.turn();
    let (mut g, mut sum) = (0.0, 0.0);
    for (x, g_x) in data[1..].iter().zip(&mut g_data[1..]).rev() {
        let [mean] = tape.pop();
        let error = x - mean;
        sum += g * error;
        *g_x += alpha * g + 2.0 * error;
        g = (1.0 - alpha) * g - 2.0 * error;
    }
    g_data[0] += g;
    *g_alpha += sum;
    loss
}

pub(super) const LOSSY: Lossy = Lossy {
    name: "moving average",
    input: |steps| Input {
        x: (0..steps + 2).map(|i| if i == 0 { 0.1 } else { (i as f64).sin() }).collect(),
        data: Vec::new(),
        steps,
    },
    steps: 1000,
    plain: |Input { x, .. }| plain(x[0], &x[1..]),
    by_hand: |tape, Input { x, .. }, g| {
        let ([alpha], data) = array(x);
        let ([g_alpha], g_data) = array_mut(g);
        by_hand(tape, *alpha, data, g_alpha, g_data)
    },
    recorded: |record, Input { x, .. }, g| {
        let ([alpha], data) = array(x);
        let ([g_alpha], g_data) = array_mut(g);
        average::pullback_in(record, (*alpha, g_alpha), (data, g_data), 1.0)
    },
    reversible: |Input { x, .. }, g| {
        let ([alpha], data) = array(x);
        let ([g_alpha], g_data) = array_mut(g);
        average_reversible::pullback((*alpha, g_alpha), (data, g_data), 1.0)
    },
    dual: |_, x| average(x[0], &x[1..]),
};
