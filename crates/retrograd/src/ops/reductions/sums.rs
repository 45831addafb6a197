//! Sums and inner products.

use super::{companions, source};
use crate::Real;
use crate::shadow::{AdjointArg, Base, Shadow, Shadowed, Sweep, TangentArg, Zero, add, fit, pull, push};

/// The sum of the elements; 0 for an empty slice.
///
/// ```
/// use retrograd::ops::sum;
///
/// assert_eq!(sum(&[1.0, 2.0, 3.0]), 6.0);
/// assert_eq!(sum::gradient(&[1.0, 2.0, 3.0]), (6.0, vec![1.0, 1.0, 1.0]));
/// ```
#[inline]
pub fn sum<T: Real>(x: &[T]) -> T {
    x.iter().fold(T::zero(), |sum, &x| sum + x)
}

/// The companions of the function [`sum`](fn@sum).
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct sum {}

companions!(sum);
source!(sum, "fn sum<T: Real>(x: &[T]) -> T");

impl sum {
    #[doc(hidden)]
    #[inline]
    pub fn __pullback<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        x: &[T],
        gx: impl AdjointArg<[T], S>,
        seed: S,
    ) -> T {
        let mut keep = gx.keep(x);
        gx.reach(&mut keep).iter_mut().for_each(|g| add(g, seed));
        sum(x)
    }

    #[doc(hidden)]
    #[inline]
    pub fn __pushforward<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        x: &[T],
        dx: impl TangentArg<[T], S>,
    ) -> (T, S) {
        let keep = dx.keep(x);
        let mut tangent = S::zero();
        dx.reach(&keep).iter().for_each(|&d| add(&mut tangent, d));
        (sum(x), tangent)
    }
}

/// The inner product of two slices. Panics if their lengths differ.
///
/// ```
/// use retrograd::ops::dot;
///
/// let (x, y) = ([1.0, 2.0], [3.0, 4.0]);
/// assert_eq!(dot(&x, &y), 11.0);
/// assert_eq!(dot::gradient(&x, &y), (11.0, vec![3.0, 4.0], vec![1.0, 2.0]));
/// ```
#[inline]
#[track_caller]
pub fn dot<T: Real>(x: &[T], y: &[T]) -> T {
    if x.len() != y.len() {
        different_lengths(x.len(), y.len());
    }
    x.iter().zip(y).fold(T::zero(), |sum, (&x, &y)| sum + x * y)
}

#[cold]
#[inline(never)]
#[track_caller]
fn different_lengths(x: usize, y: usize) -> ! {
    panic!("the inner product of {x} numbers with {y} numbers")
}

/// The companions of the function [`dot`](fn@dot).
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct dot {}

source!(dot, "fn dot<T: Real>(x: &[T], y: &[T]) -> T");

impl dot {
    /// The value; each adjoint in `gx` and `gy` gains its share of the adjoint `seed` of the result.
    ///
    /// Panics if the four slices are not of the same length.
    ///
    /// ```
    /// use retrograd::ops::dot;
    ///
    /// let (mut gx, mut gy) = ([10.0, 10.0], [0.0, 0.0]);
    /// assert_eq!(dot::pullback((&[1.0, 2.0], &mut gx), (&[3.0, 4.0], &mut gy), 2.0), 11.0);
    /// assert_eq!((gx, gy), ([16.0, 18.0], [2.0, 4.0]));
    /// ```
    #[track_caller]
    pub fn pullback<T: Real>(
        (x, gx): (&[T], &mut [T::Shadow]),
        (y, gy): (&[T], &mut [T::Shadow]),
        seed: T::Shadow,
    ) -> T {
        let sweep = Sweep::<T::Shadow>::new();
        fit(sweep, "x", x, gx);
        fit(sweep, "y", y, gy);
        Self::__pullback(sweep, x, gx, y, gy, seed)
    }

    /// The value and its tangent.
    ///
    /// Panics if the four slices are not of the same length.
    ///
    /// ```
    /// use retrograd::ops::dot;
    ///
    /// assert_eq!(dot::pushforward((&[1.0, 2.0], &[1.0, 0.0]), (&[3.0, 4.0], &[0.0, 1.0])), (11.0, 5.0));
    /// ```
    #[track_caller]
    pub fn pushforward<T: Real>((x, dx): (&[T], &[T::Shadow]), (y, dy): (&[T], &[T::Shadow])) -> (T, T::Shadow) {
        let sweep = Sweep::<T::Shadow>::new();
        fit(sweep, "x", x, dx);
        fit(sweep, "y", y, dy);
        Self::__pushforward(sweep, x, dx, y, dy)
    }

    /// The value, and its gradients with respect to `x` and `y`.
    #[track_caller]
    pub fn gradient<T: Real>(x: &[T], y: &[T]) -> (T, Vec<T::Shadow>, Vec<T::Shadow>) {
        let (mut gx, mut gy) = (x.zero_shadow(Zero::Plain), y.zero_shadow(Zero::Neutral));
        let value = Self::__pullback(Sweep::<T::Shadow>::new(), x, &mut gx, y, &mut gy, Shadow::<T>::one());
        (value, gx, gy)
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __pullback<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        x: &[T],
        gx: impl AdjointArg<[T], S>,
        y: &[T],
        gy: impl AdjointArg<[T], S>,
        seed: S,
    ) -> T {
        let (mut keep_x, mut keep_y) = (gx.keep(x), gy.keep(y));
        let value = dot(x, y);
        gx.reach(&mut keep_x).iter_mut().zip(y).for_each(|(g, &y)| add(g, pull(seed, y)));
        gy.reach(&mut keep_y).iter_mut().zip(x).for_each(|(g, &x)| add(g, pull(seed, x)));
        value
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __pushforward<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        x: &[T],
        dx: impl TangentArg<[T], S>,
        y: &[T],
        dy: impl TangentArg<[T], S>,
    ) -> (T, S) {
        let (keep_x, keep_y) = (dx.keep(x), dy.keep(y));
        let (value, mut tangent) = (dot(x, y), S::zero());
        dx.reach(&keep_x).iter().zip(y).for_each(|(&d, &y)| add(&mut tangent, push(d, y)));
        dy.reach(&keep_y).iter().zip(x).for_each(|(&d, &x)| add(&mut tangent, push(d, x)));
        (value, tangent)
    }
}
