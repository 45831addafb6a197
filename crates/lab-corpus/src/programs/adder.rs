//! Addition: as one instruction, and as the logic gates that it is made of.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// Adds `x` to `y`.
///
/// ```
/// use lab_corpus::programs::adder::adder;
///
/// let mut y = 2.0;
/// adder(&mut y, 3.0);
/// assert_eq!(y, 5.0);
/// adder::uncall(&mut y, 3.0);
/// assert_eq!(y, 2.0);
/// ```
#[reversible]
pub fn adder<T: Real>(y: &mut T, x: T) {
    *y += x;
}

/// Adds the binary number `x` to the binary number `y`, the lowest bit first, modulo 2ⁿ for n bits.
///
/// Everything is an exclusive or, which is its own inverse. The carries are computed upwards. They are given back
/// downwards, each just before the bit of `y` that it was computed from changes; so all of them are zero again at
/// the end.
///
/// ```
/// use lab_corpus::programs::adder::ripple_adder;
///
/// let (x, mut y) = ([true, true, false, false], [true, false, true, false]);
/// ripple_adder(&mut y, &x);
/// assert_eq!(y, [false, false, false, true]); // 5 + 3 = 8
/// ripple_adder::uncall(&mut y, &x);
/// assert_eq!(y, [true, false, true, false]);
/// ```
#[reversible]
pub fn ripple_adder(y: &mut [bool], x: &[bool]) {
    let n = x.len();
    let mut carry = vec![false; n + 1];
    for i in 0..n {
        carry[i + 1] ^= majority(x[i], y[i], carry[i]);
    }
    for i in (0..n).rev() {
        carry[i + 1] ^= majority(x[i], y[i], carry[i]);
        y[i] ^= x[i] ^ carry[i];
    }
    release!(carry == vec![false; n + 1]);
}

/// What at least two of three bits are.
fn majority(a: bool, b: bool, c: bool) -> bool {
    if a == b { a } else { c }
}

pub(super) const ENTRY: Entry = Entry {
    name: "adder",
    about: "the first program of all: its inverse subtracts",
    source: adder::source,
    demo: || {
        let x = 3.0;
        Demo::new(2.0, |y: &mut f64| adder(y, x), |y| adder::uncall(y, x), |y| format!("y = {y}, x = {x}"))
    },
};
