//! Fibonacci numbers by recursion.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// Adds the `n`-th Fibonacci number to `out`. The first two are 1; so is, here, the one before them.
///
/// The branch is decided by `n`, which stays, so the way back takes the same one.
///
/// ```
/// use lab_corpus::programs::rfib::rfib;
///
/// let mut out = 0;
/// rfib(&mut out, 10);
/// assert_eq!(out, 55);
/// rfib::uncall(&mut out, 10);
/// assert_eq!(out, 0);
/// ```
#[reversible]
pub fn rfib(out: &mut u64, n: u64) {
    if n <= 2 {
        *out += 1;
    } else {
        rfib(out, n - 1);
        rfib(out, n - 2);
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "rfib",
    about: "adds a Fibonacci number, by recursion",
    source: rfib::source,
    demo: || {
        let n = 10;
        Demo::new(0, |out: &mut u64| rfib(out, n), |out| rfib::uncall(out, n), |out| format!("out = {out}, n = {n}"))
    },
};
