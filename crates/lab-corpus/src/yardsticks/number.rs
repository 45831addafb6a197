//! What a plain program needs of its numbers.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number that a plain program can compute with: `f64`, or what another crate carries derivatives in.
///
/// ```
/// use lab_corpus::yardsticks::Number;
///
/// fn norm<N: Number>(x: &[N]) -> N {
///     x.iter().fold(N::constant(0.0), |sum, &x| sum + x * x).sqrt()
/// }
/// assert_eq!(norm(&[3.0, 4.0]), 5.0);
/// ```
pub trait Number:
    Copy
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// A number whose derivative is zero.
    fn constant(value: f64) -> Self;
    /// The number without its derivative.
    fn value(self) -> f64;
    /// The square root.
    fn sqrt(self) -> Self;
    /// e to the power `self`.
    fn exp(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
    /// The hyperbolic tangent.
    #[inline(always)]
    fn tanh(self) -> Self {
        Self::constant(1.0) - Self::constant(2.0) / ((self * 2.0).exp() + 1.0)
    }
}

impl Number for f64 {
    #[inline(always)]
    fn constant(value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn exp(self) -> f64 {
        f64::exp(self)
    }
    #[inline(always)]
    fn ln(self) -> f64 {
        f64::ln(self)
    }
    #[inline(always)]
    fn sin_cos(self) -> (f64, f64) {
        f64::sin_cos(self)
    }
    #[inline(always)]
    fn tanh(self) -> f64 {
        f64::tanh(self)
    }
}
