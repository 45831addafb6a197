//! Fibonacci numbers by recursion in a loop.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// Adds the Fibonacci number after the `n`-th to `out`.
///
/// That number is one more than the sum of every other one before it: of the `n`-th, the one two before it, and so
/// on. The counter has a known value when the loop ends, 0 or 1, and can be released.
///
/// ```
/// use lab_corpus::programs::rrfib::rrfib;
///
/// let mut out = 0;
/// rrfib(&mut out, 9);
/// assert_eq!(out, 55);
/// rrfib::uncall(&mut out, 9);
/// assert_eq!(out, 0);
/// ```
#[reversible]
pub fn rrfib(out: &mut u64, n: u64) {
    if n >= 1 {
        let mut counter = n;
        while (counter > 1, counter != n) {
            rrfib(out, counter - 1);
            counter -= 2;
        }
        release!(counter == n % 2);
    }
    *out += 1;
}

pub(super) const ENTRY: Entry = Entry {
    name: "rrfib",
    about: "adds a Fibonacci number, by recursion in a loop whose counter is released by its known value",
    source: rrfib::source,
    demo: || {
        let n = 9;
        Demo::new(0, |out: &mut u64| rrfib(out, n), |out| rrfib::uncall(out, n), |out| format!("out = {out}, n = {n}"))
    },
};
