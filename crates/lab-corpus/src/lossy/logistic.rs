//! The logistic map: a population that grows and is limited, generation by generation.

use retrograd::prelude::*;

use super::{Input, Lossy, Tape, array, array_mut};

/// The population after so many generations with growth `r`.
///
/// ```
/// use lab_corpus::lossy::logistic::logistic;
///
/// assert_eq!(logistic::gradient(2.0, 0.25, 1), (0.375, 0.1875, 1.0));
/// ```
#[reversible(record)]
pub fn logistic<T: Real>(r: T, start: T, steps: usize) -> T {
    let mut x = start;
    for _ in 0..steps {
        x = r * x * (1.0 - x);
    }
    x
}

/// The same with all populations kept in an array.
///
/// ```
/// use lab_corpus::lossy::logistic::logistic_reversible;
///
/// assert_eq!(logistic_reversible(2.0, 0.25, 1), 0.375);
/// ```
#[reversible]
pub fn logistic_reversible<T: Real>(r: T, start: T, steps: usize) -> T {
    let mut x = vec![T::zero(); steps + 1];
    x[0] += start;
    for i in 0..steps {
        x[i + 1] += r * x[i] * (1.0 - x[i]);
    }
    x[steps]
}

fn plain(r: f64, start: f64, steps: usize) -> f64 {
    let mut x = start;
    for _ in 0..steps {
        x = r * x * (1.0 - x);
    }
    x
}

fn by_hand(tape: &mut Tape, r: f64, start: f64, steps: usize, [g_r, g_start]: &mut [f64; 2]) -> f64 {
    let mut x = start;
    for _ in 0..steps {
        tape.push([x]);
        x = r * x * (1.0 - x);
    }
    tape.turn();
    let (mut g, mut sum) = (1.0, 0.0);
    for _ in 0..steps {
        let [x] = tape.pop();
        sum += g * x * (1.0 - x);
        g *= r * (1.0 - 2.0 * x);
    }
    *g_r += sum;
    *g_start += g;
    x
}

pub(super) const LOSSY: Lossy = Lossy {
    name: "logistic map",
    // Without chaos, so that its derivatives stay moderate.
    input: |steps| Input { x: vec![3.2, 0.3], data: Vec::new(), steps },
    steps: 1000,
    plain: |Input { x, steps, .. }| plain(x[0], x[1], *steps),
    by_hand: |tape, Input { x, steps, .. }, g| by_hand(tape, x[0], x[1], *steps, array_mut(g).0),
    recorded: |record, Input { x, steps, .. }, g| {
        let ([r, start], _) = array(x);
        let ([g_r, g_start], _) = array_mut(g);
        logistic::pullback_in(record, (*r, g_r), (*start, g_start), *steps, 1.0)
    },
    reversible: |Input { x, steps, .. }, g| {
        let ([r, start], _) = array(x);
        let ([g_r, g_start], _) = array_mut(g);
        logistic_reversible::pullback((*r, g_r), (*start, g_start), *steps, 1.0)
    },
    dual: |Input { steps, .. }, x| logistic(x[0], x[1], *steps),
};
