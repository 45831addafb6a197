//! A distance, computed in the place of one of its arguments.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// Adds the squared distance between the points `a` and `b` to `d`.
///
/// For a while `a` holds the difference of the two points. What stands in the `#[compute]` block is undone when the
/// rest is done, so afterwards `a` is what it was, up to rounding, and no other memory was needed.
///
/// ```
/// use lab_corpus::programs::squared_distance::squared_distance;
///
/// let (mut d, mut a, b) = (0.0, [1.0, 2.0], [4.0, 6.0]);
/// squared_distance(&mut d, &mut a, &b);
/// assert_eq!((d, a), (25.0, [1.0, 2.0]));
/// squared_distance::uncall(&mut d, &mut a, &b);
/// assert_eq!((d, a), (0.0, [1.0, 2.0]));
/// ```
#[reversible]
pub fn squared_distance<T: Real>(d: &mut T, a: &mut [T], b: &[T]) {
    #[compute]
    {
        for i in 0..b.len() {
            a[i] -= b[i];
        }
    }
    for i in 0..b.len() {
        *d += a[i] * a[i];
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "squared_distance",
    about: "adds a distance; one point is changed for a while, and restored by #[compute]",
    source: squared_distance::source,
    demo: || {
        let b = [4.0, 6.0, 3.0];
        Demo::new(
            (0.0, [1.0, 2.0, 3.0]),
            |(d, a): &mut (f64, [f64; 3])| squared_distance(d, a, &b),
            |(d, a)| squared_distance::uncall(d, a, &b),
            |(d, a)| format!("d = {d}, a = {a:?}, b = {b:?}"),
        )
    },
};
