//! Products.

use super::{companions, source};
use crate::Real;
use crate::shadow::{AdjointArg, Base, Shadow, Shadowed, Sweep, TangentArg, Zero, add, fit, pull, push};

/// The product of the elements; 1 for an empty slice.
///
/// Each derivative is the product of the others, whatever is zero among them.
///
/// ```
/// use retrograd::ops::product;
///
/// assert_eq!(product(&[2.0, 3.0, 4.0]), 24.0);
/// assert_eq!(product::gradient(&[2.0, 0.0, 3.0]), (0.0, vec![0.0, 6.0, 0.0]));
/// assert_eq!(product::gradient(&[2.0, 0.0, 0.0]), (0.0, vec![0.0, 0.0, 0.0]));
/// ```
#[inline]
pub fn product<T: Real>(x: &[T]) -> T {
    x.iter().fold(T::one(), |product, &x| product * x)
}

/// For each element the product of the others.
fn others<T: Real>(x: &[T]) -> Vec<T> {
    let (mut others, mut before, mut behind) = (Vec::with_capacity(x.len()), T::one(), T::one());
    for &x in x {
        others.push(before);
        before *= x;
    }
    for (others, &x) in others.iter_mut().zip(x).rev() {
        *others *= behind;
        behind *= x;
    }
    others
}

/// The companions of the function [`product`](fn@product).
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct product {}

companions!(product);
source!(product, "fn product<T: Real>(x: &[T]) -> T");

impl product {
    #[doc(hidden)]
    pub fn __pullback<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        x: &[T],
        gx: impl AdjointArg<[T], S>,
        seed: S,
    ) -> T {
        let mut keep = gx.keep(x);
        gx.reach(&mut keep).iter_mut().zip(others(x)).for_each(|(g, others)| add(g, pull(seed, others)));
        product(x)
    }

    #[doc(hidden)]
    pub fn __pushforward<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        x: &[T],
        dx: impl TangentArg<[T], S>,
    ) -> (T, S) {
        let (keep, mut tangent) = (dx.keep(x), S::zero());
        dx.reach(&keep).iter().zip(others(x)).for_each(|(&d, others)| add(&mut tangent, push(d, others)));
        (product(x), tangent)
    }
}
