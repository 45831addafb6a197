//! Horner's rule: a polynomial at a point, from its highest coefficient on.

use retrograd::prelude::*;

use super::{Input, Lossy, Tape, array, array_mut};

/// The polynomial with these coefficients, the highest first, at `x`.
///
/// ```
/// use lab_corpus::lossy::horner::horner;
///
/// assert_eq!(horner::gradient(&[1.0, 2.0, 3.0], 2.0), (11.0, vec![4.0, 2.0, 1.0], 6.0));
/// ```
#[reversible(record)]
pub fn horner<T: Real>(c: &[T], x: T) -> T {
    let mut y = T::zero();
    for i in 0..c.len() {
        y = y * x + c[i];
    }
    y
}

/// The same with all partial sums kept in an array.
///
/// ```
/// use lab_corpus::lossy::horner::horner_reversible;
///
/// assert_eq!(horner_reversible(&[1.0, 2.0, 3.0], 2.0), 11.0);
/// ```
#[reversible]
pub fn horner_reversible<T: Real>(c: &[T], x: T) -> T {
    let mut y = vec![T::zero(); c.len() + 1];
    for i in 0..c.len() {
        y[i + 1] += y[i] * x + c[i];
    }
    y[c.len()]
}

fn plain(c: &[f64], x: f64) -> f64 {
    let mut y = 0.0;
    for c in c {
        y = y * x + c;
    }
    y
}

fn by_hand(tape: &mut Tape, c: &[f64], x: f64, g_c: &mut [f64], g_x: &mut f64) -> f64 {
    let mut y = 0.0;
    for c in c {
        tape.push([y]);
        y = y * x + c;
    }
    tape.turn();
    let (mut g, mut sum) = (1.0, 0.0);
    for g_c in g_c.iter_mut().rev() {
        *g_c += g;
        let [before] = tape.pop();
        sum += g * before;
        g *= x;
    }
    *g_x += sum;
    y
}

pub(super) const LOSSY: Lossy = Lossy {
    name: "Horner's rule",
    input: |steps| Input {
        x: (0..=steps).map(|i| if i == 0 { 0.99 } else { (i as f64).sin() }).collect(),
        data: Vec::new(),
        steps,
    },
    steps: 1000,
    plain: |Input { x, .. }| plain(&x[1..], x[0]),
    by_hand: |tape, Input { x, .. }, g| {
        let ([x], c) = array(x);
        let ([g_x], g_c) = array_mut(g);
        by_hand(tape, c, *x, g_c, g_x)
    },
    recorded: |record, Input { x, .. }, g| {
        let ([x], c) = array(x);
        let ([g_x], g_c) = array_mut(g);
        horner::pullback_in(record, (c, g_c), (*x, g_x), 1.0)
    },
    reversible: |Input { x, .. }, g| {
        let ([x], c) = array(x);
        let ([g_x], g_c) = array_mut(g);
        horner_reversible::pullback((c, g_c), (*x, g_x), 1.0)
    },
    dual: |_, x| horner(&x[1..], x[0]),
};
