//! The methods of complex numbers over any real number.

use num_complex::Complex;

use super::elementary as of;
use crate::Real;

/// The elementary functions of `Complex<T>` for every `T: Real`.
///
/// `num_complex` has them for floats, under the same names, and a program on floats calls those. This trait has them
/// for `T: Real`, so that a program over `Complex<T>` runs on floats and on dual numbers. It is in the prelude, with the feature
/// `num-complex`. `square`, `cube` and `recip`, which `num_complex` does not have, come with it.
///
/// ```
/// use num_complex::Complex;
/// use retrograd::prelude::*;
///
/// fn wave<T: Real>(amplitude: Complex<T>, phase: T) -> T {
///     amplitude.ln().norm() + Complex::<T>::cis(phase).re
/// }
/// assert_eq!(wave(Complex::new(1.0, 0.0), 0.0), 1.0);
/// ```
///
/// All are principal values, with the branch cuts of `num_complex`; on a cut the sign of zero says which side is meant.
pub trait ComplexFunctions<T: Real>: Copy {
    /// The number itself.
    #[doc(hidden)]
    fn plane(self) -> Complex<T>;

    /// e to the power `i phase`.
    #[inline(always)]
    fn cis(phase: T) -> Complex<T> {
        of::from_polar(T::one(), phase)
    }
    /// The number of length `r` at the angle `theta`.
    #[inline(always)]
    fn from_polar(r: T, theta: T) -> Complex<T> {
        of::from_polar(r, theta)
    }
    /// The length.
    #[inline(always)]
    fn norm(self) -> T {
        of::norm(self.plane())
    }
    /// The angle, from −π to π.
    #[inline(always)]
    fn arg(self) -> T {
        of::arg(self.plane())
    }
    /// The length and the angle.
    #[inline(always)]
    fn to_polar(self) -> (T, T) {
        (of::norm(self.plane()), of::arg(self.plane()))
    }
    /// `1 / self`, without squares that overflow or underflow: its own inverse.
    #[inline(always)]
    fn recip(self) -> Complex<T> {
        of::recip(self.plane())
    }
    /// `self * self`.
    #[inline(always)]
    fn square(self) -> Complex<T> {
        of::mul(self.plane(), self.plane())
    }
    /// `self * self * self`.
    #[inline(always)]
    fn cube(self) -> Complex<T> {
        of::mul(of::mul(self.plane(), self.plane()), self.plane())
    }
    /// `self` to a real power.
    #[inline]
    fn powf(self, exponent: T) -> Complex<T> {
        of::powf(self.plane(), exponent)
    }
    /// `self` to a complex power.
    #[inline]
    fn powc(self, exponent: Complex<T>) -> Complex<T> {
        of::powc(self.plane(), exponent)
    }
    /// A real base to the power `self`.
    #[inline]
    fn expf(self, base: T) -> Complex<T> {
        of::expf(self.plane(), base)
    }
    /// The logarithm to a real base.
    #[inline]
    fn log(self, base: T) -> Complex<T> {
        of::log(self.plane(), base)
    }
    /// 2 to the power `self`.
    #[inline]
    fn exp2(self) -> Complex<T> {
        of::expf(self.plane(), T::lit(2.0))
    }
    /// The logarithm to base 2.
    #[inline]
    fn log2(self) -> Complex<T> {
        of::log(self.plane(), T::lit(2.0))
    }
    /// The logarithm to base 10.
    #[inline]
    fn log10(self) -> Complex<T> {
        of::log(self.plane(), T::lit(10.0))
    }
    /// e to the power `self`.
    #[inline]
    fn exp(self) -> Complex<T> {
        of::exp(self.plane())
    }
    /// The natural logarithm; its cut is the negative real line.
    #[inline]
    fn ln(self) -> Complex<T> {
        of::ln(self.plane())
    }
    /// The square root in the right half plane.
    #[inline]
    fn sqrt(self) -> Complex<T> {
        of::sqrt(self.plane())
    }
    /// The cube root next to the positive real line.
    #[inline]
    fn cbrt(self) -> Complex<T> {
        of::cbrt(self.plane())
    }
    /// The sine.
    #[inline]
    fn sin(self) -> Complex<T> {
        of::sin(self.plane())
    }
    /// The cosine.
    #[inline]
    fn cos(self) -> Complex<T> {
        of::cos(self.plane())
    }
    /// The tangent.
    #[inline]
    fn tan(self) -> Complex<T> {
        of::tan(self.plane())
    }
    /// The arc sine; its cuts are on the real line, outside −1 to 1.
    #[inline]
    fn asin(self) -> Complex<T> {
        of::asin(self.plane())
    }
    /// The arc cosine, with the cuts of the arc sine.
    #[inline]
    fn acos(self) -> Complex<T> {
        of::acos(self.plane())
    }
    /// The arc tangent; its cuts are on the imaginary line, outside −i to i.
    #[inline]
    fn atan(self) -> Complex<T> {
        of::atan(self.plane())
    }
    /// The hyperbolic sine.
    #[inline]
    fn sinh(self) -> Complex<T> {
        of::sinh(self.plane())
    }
    /// The hyperbolic cosine.
    #[inline]
    fn cosh(self) -> Complex<T> {
        of::cosh(self.plane())
    }
    /// The hyperbolic tangent.
    #[inline]
    fn tanh(self) -> Complex<T> {
        of::tanh(self.plane())
    }
    /// The inverse of `sinh`; its cuts are on the imaginary line, outside −i to i.
    #[inline]
    fn asinh(self) -> Complex<T> {
        of::asinh(self.plane())
    }
    /// The inverse of `cosh`; its cut is the real line below 1.
    #[inline]
    fn acosh(self) -> Complex<T> {
        of::acosh(self.plane())
    }
    /// The inverse of `tanh`; its cuts are on the real line, outside −1 to 1.
    #[inline]
    fn atanh(self) -> Complex<T> {
        of::atanh(self.plane())
    }
}

impl<T: Real> ComplexFunctions<T> for Complex<T> {
    #[inline(always)]
    fn plane(self) -> Complex<T> {
        self
    }
}
