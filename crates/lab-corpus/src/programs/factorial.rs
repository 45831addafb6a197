//! Factorials: integers multiplied in place, where nothing may be lost.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// Takes `out` from 0 to `n!`.
///
/// In general `out` becomes `(out + 1) · n!`. Run backwards every division must be exact: a number that no forward
/// run could have left raises an error, in every build. So does a product that does not fit.
///
/// ```
/// use lab_corpus::programs::factorial::factorial;
///
/// let mut out = 0;
/// factorial(&mut out, 5);
/// assert_eq!(out, 120);
/// factorial::uncall(&mut out, 5);
/// assert_eq!(out, 0);
///
/// let mut out = 100;
/// assert!(retrograd::attempt(|| factorial::uncall(&mut out, 5)).is_err());
/// ```
#[reversible]
pub fn factorial(out: &mut u64, n: u64) {
    *out += 1;
    for i in 1..=n {
        *out *= i;
    }
}

/// Adds `n!` to `y`, whatever `y` is.
///
/// The product is made in an ancilla, which gives itself back.
///
/// ```
/// use lab_corpus::programs::factorial::add_factorial;
///
/// let mut y = 7;
/// add_factorial(&mut y, 5);
/// assert_eq!(y, 127);
/// add_factorial::uncall(&mut y, 5);
/// assert_eq!(y, 7);
/// ```
#[reversible]
pub fn add_factorial(y: &mut u64, n: u64) {
    let mut product = 1;
    for i in 1..=n {
        product *= i;
    }
    *y += product;
}

pub(super) const ENTRY: Entry = Entry {
    name: "factorial",
    about: "multiplies an integer in place; the inverse divides, and exactly",
    source: factorial::source,
    demo: || {
        let n = 10;
        Demo::new(
            0,
            |out: &mut u64| factorial(out, n),
            |out| factorial::uncall(out, n),
            |out| format!("out = {out}, n = {n}"),
        )
    },
};
