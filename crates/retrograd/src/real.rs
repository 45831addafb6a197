//! The number trait that reversible programs are generic over.

use std::fmt::Debug;
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::check::Compare;
use crate::ops::{AddUpdate, MulUpdate, NegUpdate};
use crate::rules::Rules;
use crate::shadow::{Base, Number, Shadow};
use crate::{Active, Linear, Recordable};

/// A real number: `f32`, `f64`, and every number type that stands in for one, such as those in [`numbers`](crate::numbers).
///
/// Write a program once for `T: Real`, and run it on any of them. Each method means what the method
/// of the same name on `f64` means, so a generic program reads like one for `f64`. `square`,
/// `cube`, `conj`, `erf`, `gamma` and `lgamma`, which `f64` does not have, come with the trait.
///
/// The standard library plans to add `f64::erf` and `f64::gamma`, so rustc warns of
/// `unstable_name_collisions` where they are called on a plain `f64`; write `Real::gamma(x)` there. On `T: Real`,
/// `x.gamma()` is this one, and nothing warns.
///
/// ```
/// use retrograd::Real;
///
/// fn logistic<T: Real>(x: T) -> T {
///     (T::one() + (-x).exp()).recip()
/// }
/// assert_eq!(logistic(0.0_f64), 0.5);
/// assert_eq!(logistic(0.0_f32), 0.5);
/// assert_eq!(2.0.cube() + f64::from_int(7_usize), 15.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a real number",
    note = "reversible programs over `T: Real` run on `f64` and `f32`"
)]
pub trait Real:
    Copy
    + Default
    + PartialEq
    + PartialOrd
    + Debug
    + 'static
    + Compare
    + Recordable
    + Active<Shadow: Base + Shadow<Self>, Number = Self>
    + Number<Value: Rules>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + MulUpdate<Self>
    + AddUpdate<Self>
    + NegUpdate
    + Linear
    + Sum
    + Product
    + for<'a> Sum<&'a Self>
    + for<'a> Product<&'a Self>
{
    /// What is the same in all lanes of a number: `f64` for `Lanes<f64, W>`, and the type itself for a number without lanes.
    type Uniform: Real<Uniform = Self::Uniform>;

    /// The number with `uniform` in all of its lanes.
    fn spread(uniform: Self::Uniform) -> Self;
    /// How many lanes the number has.
    #[doc(hidden)]
    const LANES: usize = 1;
    /// What the number is in one of its lanes.
    #[doc(hidden)]
    fn lane(self, i: usize) -> Self::Uniform;
    /// The number that `lane` gives for each of its lanes.
    #[doc(hidden)]
    fn of_lanes(lane: impl FnMut(usize) -> Self::Uniform) -> Self;
    /// The number 0, which is also the default.
    fn zero() -> Self;
    /// The number 1.
    fn one() -> Self;
    /// A literal: the number nearest to `value`.
    fn lit(value: f64) -> Self;
    /// The number nearest to the integer `n`, as `n as f64` is for `f64`.
    fn from_int(n: impl Int) -> Self;
    /// The value as an `f64`, without whatever else the number carries.
    fn to_f64(self) -> f64;
    /// Whether the number is neither infinite nor NaN.
    fn is_finite(self) -> bool;

    /// `then` if `self < other`, and `otherwise` if not: for each lane separately.
    #[inline(always)]
    fn select_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        if self < other { then } else { otherwise }
    }
    /// `then` if `self == other`, and `otherwise` if not: for each lane separately.
    #[inline(always)]
    fn select_equal(self, other: Self, then: Self, otherwise: Self) -> Self {
        if self == other { then } else { otherwise }
    }

    /// `self` to an integer power.
    fn powi(self, n: i32) -> Self;
    /// `self` to a real power.
    fn powf(self, exponent: Self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The cube root, including that of negative numbers: the inverse of `cube`.
    fn cbrt(self) -> Self;
    /// `self * self`.
    fn square(self) -> Self;
    /// `self * self * self`: the inverse of `cbrt`.
    fn cube(self) -> Self;
    /// The length of the vector `(self, other)`, without overflow in between.
    fn hypot(self, other: Self) -> Self;
    /// `1 / self`: its own inverse.
    fn recip(self) -> Self;
    /// The complex conjugate, which is `self` for a real number.
    fn conj(self) -> Self;

    /// e to the power `self`.
    fn exp(self) -> Self;
    /// 2 to the power `self`.
    fn exp2(self) -> Self;
    /// `exp(self) - 1`, accurate even near zero.
    fn exp_m1(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// `ln(1 + self)`, accurate even near zero.
    fn ln_1p(self) -> Self;
    /// The logarithm to base 2.
    fn log2(self) -> Self;
    /// The logarithm to base 10.
    fn log10(self) -> Self;
    /// The logarithm to any base.
    fn log(self, base: Self) -> Self;

    /// The sine.
    fn sin(self) -> Self;
    /// The cosine.
    fn cos(self) -> Self;
    /// The tangent.
    fn tan(self) -> Self;
    /// Sine and cosine together.
    fn sin_cos(self) -> (Self, Self);
    /// The arc sine.
    fn asin(self) -> Self;
    /// The arc cosine.
    fn acos(self) -> Self;
    /// The arc tangent.
    fn atan(self) -> Self;
    /// The angle of the point `(x, y)` for `y.atan2(x)`.
    fn atan2(self, x: Self) -> Self;

    /// The hyperbolic sine.
    fn sinh(self) -> Self;
    /// The hyperbolic cosine.
    fn cosh(self) -> Self;
    /// The hyperbolic tangent.
    fn tanh(self) -> Self;
    /// The inverse of `sinh`.
    fn asinh(self) -> Self;
    /// The inverse of `cosh` for nonnegative numbers.
    fn acosh(self) -> Self;
    /// The inverse of `tanh`.
    fn atanh(self) -> Self;

    /// The error function: 2/√π times the integral of exp(−t²) from 0 to `self`.
    fn erf(self) -> Self;
    /// The gamma function, which is `(n - 1)!` for a whole number `n`.
    fn gamma(self) -> Self;
    /// The logarithm of the magnitude of the gamma function, which overflows much later.
    fn lgamma(self) -> Self;

    /// The magnitude.
    fn abs(self) -> Self;
    /// 1 with the sign of `self`; NaN for NaN.
    fn signum(self) -> Self;
    /// The larger number.
    fn max(self, other: Self) -> Self;
    /// The smaller number.
    fn min(self, other: Self) -> Self;
    /// The nearest number between `min` and `max`. Panics if `min > max`.
    fn clamp(self, min: Self, max: Self) -> Self;
    /// `self * a + b`, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// The largest whole number not above `self`.
    fn floor(self) -> Self;
    /// The smallest whole number not below `self`.
    fn ceil(self) -> Self;
    /// The nearest whole number, halves away from zero.
    fn round(self) -> Self;
    /// The whole part.
    fn trunc(self) -> Self;
    /// The fractional part, with the sign of `self`.
    fn fract(self) -> Self;
    /// The nonnegative remainder of `self` divided by `modulus`.
    fn rem_euclid(self, modulus: Self) -> Self;
    /// From radians to degrees.
    fn to_degrees(self) -> Self;
    /// From degrees to radians.
    fn to_radians(self) -> Self;
}

/// A primitive integer, as [`Real::from_int`] takes it. No other type can implement this.
///
/// ```
/// use retrograd::Real;
///
/// assert_eq!(f64::from_int(3_u8) + f64::from_int(-1_i128), 2.0);
/// ```
pub trait Int: Copy + Debug + sealed::Sealed {
    /// The nearest `f64`.
    fn to_f64(self) -> f64;
    /// The nearest `f32`.
    fn to_f32(self) -> f32;
    /// The integer itself, if it is below 2¹²⁷.
    fn to_i128(self) -> Option<i128>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! int {
    ($($type:ty)*) => {$(
        impl sealed::Sealed for $type {}

        impl Int for $type {
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn to_f32(self) -> f32 {
                self as f32
            }
            #[inline(always)]
            fn to_i128(self) -> Option<i128> {
                self.try_into().ok()
            }
        }
    )*};
}

int!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! real {
    ($type:ident, from_int: $from_int:ident, $erf:path, $gamma:path, $lgamma:path) => {
        impl Real for $type {
            $crate::numbers::without_lanes!();

            #[inline(always)]
            fn zero() -> Self {
                0.0
            }
            #[inline(always)]
            fn one() -> Self {
                1.0
            }
            #[inline(always)]
            fn lit(value: f64) -> Self {
                value as $type
            }
            #[inline(always)]
            fn from_int(n: impl Int) -> Self {
                n.$from_int()
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                self.is_finite()
            }
            #[inline(always)]
            fn powi(self, n: i32) -> Self {
                self.powi(n)
            }
            #[inline(always)]
            fn square(self) -> Self {
                self * self
            }
            #[inline(always)]
            fn cube(self) -> Self {
                self * self * self
            }
            #[inline(always)]
            fn conj(self) -> Self {
                self
            }
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                self.sin_cos()
            }
            #[inline]
            fn erf(self) -> Self {
                $erf(self)
            }
            #[inline]
            fn gamma(self) -> Self {
                $gamma(self)
            }
            #[inline]
            fn lgamma(self) -> Self {
                $lgamma(self)
            }
            forward! { $type:
                powf(exponent) sqrt() cbrt() hypot(other) recip()
                exp() exp2() exp_m1() ln() ln_1p() log2() log10() log(base)
                sin() cos() tan() asin() acos() atan() atan2(x)
                sinh() cosh() tanh() asinh() acosh() atanh()
                abs() signum() max(other) min(other) clamp(min, max) mul_add(a, b)
                floor() ceil() round() trunc() fract() rem_euclid(modulus) to_degrees() to_radians()
            }
        }
    };
}

/// Forwards to the inherent method, which method syntax would find as well.
macro_rules! forward {
    ($type:ident: $($method:ident($($argument:ident),*))*) => {$(
        #[inline(always)]
        fn $method(self $(, $argument: Self)*) -> Self {
            <$type>::$method(self $(, $argument)*)
        }
    )*};
}

real!(f32, from_int: to_f32, libm::erff, libm::tgammaf, libm::lgammaf);
real!(f64, from_int: to_f64, libm::erf, libm::tgamma, libm::lgamma);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_rounded_once() {
        // By way of f64 this would be 2²⁴ + 2: first a tie is made, then it is rounded to even.
        let n = (1_u64 << 60) + (1 << 36) + 1;
        assert_eq!(f32::from_int(n), n as f32);
        assert_ne!(f32::from_int(n), n as f64 as f32);
    }

    #[test]
    fn generic_methods_are_those_of_f64() {
        fn all<T: Real>(x: T) -> [T; 6] {
            let (sin, cos) = x.sin_cos();
            let y = x.atan2(T::lit(2.0)).clamp(T::zero(), T::one());
            [sin, cos, y, x.rem_euclid(T::lit(0.3)), x.mul_add(y, sin), x.log(T::lit(3.0))]
        }
        let x: f64 = 0.7;
        let y = x.atan2(2.0);
        let expected = [x.sin(), x.cos(), y, x.rem_euclid(0.3), x.mul_add(y, x.sin()), x.log(3.0)];
        assert_eq!(all(x), expected);
    }

    #[test]
    fn what_f64_lacks_comes_with_the_trait() {
        assert_eq!((3.0.square(), 2.0.cube(), (-1.5).conj()), (9.0, 8.0, -1.5));
        fn special<T: Real>(x: T) -> [T; 3] {
            [x.gamma(), x.erf(), x.lgamma()]
        }
        assert_eq!(special(5.0), [24.0, 0.9999999999984626, 24_f64.ln()]);
        assert_eq!(special(5.0_f32), [24.0, 1.0, 24_f32.ln()]);
    }
}
