//! Multiplication that keeps its factors: the smallest reversible program with a product in it.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// Adds the product of `a` and `b` to `y`.
///
/// A product alone cannot be taken apart again. Added to something, while both factors stay, it can be subtracted.
///
/// ```
/// use lab_corpus::programs::multiplier::multiplier;
///
/// let mut y = 1.0;
/// multiplier(&mut y, 3.0, 4.0);
/// assert_eq!(y, 13.0);
/// multiplier::uncall(&mut y, 3.0, 4.0);
/// assert_eq!(y, 1.0);
/// ```
#[reversible]
pub fn multiplier<T: Real>(y: &mut T, a: T, b: T) {
    *y += a * b;
}

pub(super) const ENTRY: Entry = Entry {
    name: "multiplier",
    about: "adds a product, and keeps the factors so that it can be subtracted again",
    source: multiplier::source,
    demo: || {
        let (a, b) = (3.0, 4.0);
        Demo::new(
            1.0,
            |y: &mut f64| multiplier(y, a, b),
            |y| multiplier::uncall(y, a, b),
            |y| format!("y = {y}, a = {a}, b = {b}"),
        )
    },
};
