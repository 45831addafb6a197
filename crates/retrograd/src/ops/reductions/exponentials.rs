//! The logarithm of a sum of exponentials.

use super::{companions, maximum, source};
use crate::Real;
use crate::shadow::{AdjointArg, Base, Shadow, Shadowed, Sweep, TangentArg, Zero, add, fit, pull, push};

/// ln Σ exp(xᵢ), without intermediate overflow or underflow; −∞ for an empty slice.
///
/// Its gradient is the softmax of the elements. Elements of −∞ do not count; if there are no others, the value is −∞ and
/// the gradient zero.
///
/// ```
/// use retrograd::ops::log_sum_exp;
///
/// assert_eq!(log_sum_exp(&[1000.0, 1000.0]), 1000.0 + 2_f64.ln());
/// assert_eq!(log_sum_exp::gradient(&[-1000.0, -1000.0, f64::NEG_INFINITY]).1, [0.5, 0.5, 0.0]);
/// assert_eq!(log_sum_exp::gradient(&[f64::NEG_INFINITY; 2]), (f64::NEG_INFINITY, vec![0.0, 0.0]));
/// ```
#[inline]
pub fn log_sum_exp<T: Real>(x: &[T]) -> T {
    let (shift, sum) = shifted_sum(x);
    shift + sum.ln()
}

/// A shift near the result, and Σ exp(xᵢ − shift), in which nothing overflows.
#[inline(always)]
fn shifted_sum<T: Real>(x: &[T]) -> (T, T) {
    // The shift cancels: it is a constant, through which no derivative flows.
    let shift = T::lit(maximum(x).to_f64());
    if shift.is_finite() {
        (shift, x.iter().fold(T::zero(), |sum, &x| sum + (x - shift).exp()))
    } else {
        (shift, T::one())
    }
}

/// The companions of the function [`log_sum_exp`](fn@log_sum_exp).
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct log_sum_exp {}

companions!(log_sum_exp);
source!(log_sum_exp, "fn log_sum_exp<T: Real>(x: &[T]) -> T");

/// The derivative of the result with respect to the element `x`.
#[inline(always)]
fn weight<T: Real>(x: T, (shift, sum): (T, T)) -> T {
    if x.to_f64() == f64::NEG_INFINITY { T::zero() } else { (x - shift).exp() / sum }
}

impl log_sum_exp {
    #[doc(hidden)]
    #[inline]
    pub fn __pullback<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        x: &[T],
        gx: impl AdjointArg<[T], S>,
        seed: S,
    ) -> T {
        let mut keep = gx.keep(x);
        let total @ (shift, sum) = shifted_sum(x);
        gx.reach(&mut keep).iter_mut().zip(x).for_each(|(g, &x)| add(g, pull(seed, weight(x, total))));
        shift + sum.ln()
    }

    #[doc(hidden)]
    #[inline]
    pub fn __pushforward<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        x: &[T],
        dx: impl TangentArg<[T], S>,
    ) -> (T, S) {
        let keep = dx.keep(x);
        let (total @ (shift, sum), mut tangent) = (shifted_sum(x), S::zero());
        dx.reach(&keep).iter().zip(x).for_each(|(&d, &x)| add(&mut tangent, push(d, weight(x, total))));
        (shift + sum.ln(), tangent)
    }
}
