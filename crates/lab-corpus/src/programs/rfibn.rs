//! A search whose number of iterations is not known beforehand, and which can still be undone.

use retrograd::prelude::*;

use super::rfib::rfib;
use super::{Demo, Entry};

/// Takes `n` from 0 to the index of the first Fibonacci number that is at least `z`.
///
/// The first condition of the loop says when it goes on. The second is false before the first iteration and true after
/// each, and so it says when the way back goes on: until `n` is 0. In between, `out` holds one Fibonacci number
/// after the other, each taken away before the next is added.
///
/// ```
/// use lab_corpus::programs::rfibn::rfibn;
///
/// let mut n = 0;
/// rfibn(&mut n, 100);
/// assert_eq!(n, 12); // the 11th is 89, the 12th is 144
/// rfibn::uncall(&mut n, 100);
/// assert_eq!(n, 0);
/// ```
#[reversible]
pub fn rfibn(n: &mut u64, z: u64) {
    let mut out = 0;
    rfib(&mut out, *n);
    while (out < z, *n != 0) {
        rfib::uncall(&mut out, *n);
        *n += 1;
        rfib(&mut out, *n);
    }
    rfib::uncall(&mut out, *n);
    release!(out == 0);
}

pub(super) const ENTRY: Entry = Entry {
    name: "rfibn",
    about: "finds the first Fibonacci number that is large enough, in a loop with a condition for each direction",
    source: rfibn::source,
    demo: || {
        let z = 100;
        Demo::new(0, |n: &mut u64| rfibn(n, z), |n| rfibn::uncall(n, z), |n| format!("n = {n}, z = {z}"))
    },
};
