//! The largest element, and where it is.

use super::{companions, source};
use crate::Real;
use crate::shadow::{AdjointArg, Base, Shadow, Shadowed, Sweep, TangentArg, Zero, add, fit};

/// Where the largest element is: the first one if there are several. A NaN counts as larger than everything.
///
/// Panics for an empty slice. No derivative flows through an index.
///
/// ```
/// use retrograd::ops::argmax;
///
/// assert_eq!(argmax(&[1.0, 3.0, 2.0, 3.0]), 1);
/// assert_eq!(argmax(&[1.0, f64::NAN, 2.0]), 1);
/// ```
#[inline]
#[track_caller]
pub fn argmax<T: Real>(x: &[T]) -> usize {
    match first_largest(x) {
        Some(i) => i,
        None => panic!("the largest of no numbers"),
    }
}

/// The first index of the largest element, unless there is none.
#[inline]
fn first_largest<T: Real>(x: &[T]) -> Option<usize> {
    let mut largest = 0;
    for (i, candidate) in x.iter().enumerate() {
        // A comparison with NaN is none: the first NaN stays.
        match x[largest].partial_cmp(candidate) {
            Some(std::cmp::Ordering::Less) => largest = i,
            None if is_number(&x[largest]) => largest = i,
            _ => {}
        }
    }
    (!x.is_empty()).then_some(largest)
}

#[inline(always)]
fn is_number<T: Real>(x: &T) -> bool {
    x.partial_cmp(x).is_some()
}

/// The companions of the function [`argmax`](fn@argmax).
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct argmax {}

source!(argmax, "fn argmax<T: Real>(x: &[T]) -> usize");

impl argmax {
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __pullback<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        x: &[T],
        _gx: impl AdjointArg<[T], S>,
        _seed: (),
    ) -> usize {
        argmax(x)
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __pushforward<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        x: &[T],
        _dx: impl TangentArg<[T], S>,
    ) -> (usize, ()) {
        (argmax(x), ())
    }
}

/// The largest element; −∞ for an empty slice, NaN if there is one.
///
/// The whole derivative goes to the first of the largest elements.
///
/// ```
/// use retrograd::ops::maximum;
///
/// assert_eq!(maximum(&[1.0, 3.0, 2.0, 3.0]), 3.0);
/// assert_eq!(maximum::gradient(&[1.0, 3.0, 2.0, 3.0]), (3.0, vec![0.0, 1.0, 0.0, 0.0]));
/// assert_eq!(maximum::<f64>(&[]), f64::NEG_INFINITY);
/// ```
#[inline]
pub fn maximum<T: Real>(x: &[T]) -> T {
    match first_largest(x) {
        Some(i) => x[i],
        None => T::lit(f64::NEG_INFINITY),
    }
}

/// The companions of the function [`maximum`](fn@maximum).
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct maximum {}

companions!(maximum);
source!(maximum, "fn maximum<T: Real>(x: &[T]) -> T");

impl maximum {
    #[doc(hidden)]
    #[inline]
    pub fn __pullback<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        x: &[T],
        gx: impl AdjointArg<[T], S>,
        seed: S,
    ) -> T {
        let mut keep = gx.keep(x);
        match first_largest(x) {
            Some(i) => {
                add(&mut gx.reach(&mut keep)[i], seed);
                x[i]
            }
            None => T::lit(f64::NEG_INFINITY),
        }
    }

    #[doc(hidden)]
    #[inline]
    pub fn __pushforward<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        x: &[T],
        dx: impl TangentArg<[T], S>,
    ) -> (T, S) {
        let keep = dx.keep(x);
        match first_largest(x) {
            Some(i) => (x[i], dx.reach(&keep)[i]),
            None => (T::lit(f64::NEG_INFINITY), S::zero()),
        }
    }
}
