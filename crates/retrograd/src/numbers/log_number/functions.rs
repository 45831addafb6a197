//! The elementary functions of logarithmic numbers.

use std::f64::consts::{LN_2, LOG2_E};

use super::LogNumber;
use crate::Real;
use crate::real::Int;

impl<T: Real> LogNumber<T> {
    /// The logarithm. Panics for zero and negative numbers.
    #[track_caller]
    fn positive(self, name: &str) -> T {
        assert!(
            self.sign > 0,
            "`{name}` of {self:?} is not a number, and logarithmic numbers have no NaN: it needs a positive one; test the argument \
             before, or `clamp` it"
        );
        self.log2
    }

    /// The number with this logarithm and the sign of `self`; zero, if that is zero.
    fn with_log2(self, log2: impl FnOnce(T) -> T) -> Self {
        match self.sign {
            0 => self,
            sign => LogNumber { sign, log2: log2(self.log2) },
        }
    }
}

/// Functions by way of the number itself.
macro_rules! linear {
    ($($function:ident($($argument:ident),*))*) => {$(
        #[track_caller]
        fn $function(self $(, $argument: Self)*) -> Self {
            LogNumber::from_linear(self.to_linear().$function($($argument.to_linear()),*))
        }
    )*};
}

/// The logarithm is already known, up to a factor.
macro_rules! logarithms {
    ($($function:ident($factor:expr))*) => {$(
        #[track_caller]
        fn $function(self) -> Self {
            LogNumber::from_linear(self.positive(stringify!($function)) * T::lit($factor))
        }
    )*};
}

impl<T: Real> Real for LogNumber<T> {
    crate::numbers::without_lanes!();

    #[inline(always)]
    fn zero() -> Self {
        LogNumber::default()
    }

    #[inline(always)]
    fn one() -> Self {
        LogNumber::from_log2(T::zero())
    }

    #[track_caller]
    fn lit(value: f64) -> Self {
        if value == 0.0 {
            return LogNumber::zero();
        }
        LogNumber { sign: if value < 0.0 { -1 } else { 1 }, log2: T::lit(value.abs().log2()) }
    }

    #[track_caller]
    fn from_int(n: impl Int) -> Self {
        LogNumber::lit(n.to_f64())
    }

    fn to_f64(self) -> f64 {
        f64::from(self.sign) * self.log2.to_f64().exp2()
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        self.log2.is_finite()
    }

    linear! {
        exp_m1() ln_1p() sin() cos() tan() asin() acos() atan() atan2(x) sinh() cosh() tanh() asinh() acosh() atanh()
        erf() gamma() lgamma() floor() ceil() round() trunc() fract() rem_euclid(modulus)
    }
    logarithms! { ln(LN_2) log2(1.0) log10(std::f64::consts::LOG10_2) }

    #[track_caller]
    fn log(self, base: Self) -> Self {
        LogNumber::from_linear(self.positive("log") / base.positive("log"))
    }

    fn exp(self) -> Self {
        LogNumber::from_log2(self.to_linear() * T::lit(LOG2_E))
    }

    fn exp2(self) -> Self {
        LogNumber::from_log2(self.to_linear())
    }

    #[track_caller]
    fn powi(self, n: i32) -> Self {
        if n == 0 {
            return LogNumber::one();
        }
        assert!(self.sign != 0 || n > 0, "a negative power of zero is a division by zero; test the base before");
        let power = self.with_log2(|log2| log2 * T::from_int(n));
        if n % 2 == 0 { power.abs() } else { power }
    }

    #[track_caller]
    fn powf(self, exponent: Self) -> Self {
        let linear = exponent.to_linear();
        if linear.fract() == T::zero() && linear.abs() < T::lit(1024.0) {
            return self.powi(linear.to_f64() as i32);
        }
        if self.sign == 0 && exponent.sign > 0 {
            return self;
        }
        LogNumber::from_log2(self.positive("powf") * linear)
    }

    #[track_caller]
    fn sqrt(self) -> Self {
        if self.sign == 0 {
            return self;
        }
        LogNumber::from_log2(self.positive("sqrt") * T::lit(0.5))
    }

    fn cbrt(self) -> Self {
        self.with_log2(|log2| log2 / T::lit(3.0))
    }

    fn square(self) -> Self {
        self * self
    }

    fn cube(self) -> Self {
        self * self * self
    }

    fn hypot(self, other: Self) -> Self {
        (self.square() + other.square()).sqrt()
    }

    #[track_caller]
    fn recip(self) -> Self {
        Self::one() / self
    }

    #[inline(always)]
    fn conj(self) -> Self {
        self
    }

    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.to_linear().sin_cos();
        (LogNumber::from_linear(sin), LogNumber::from_linear(cos))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        LogNumber { sign: self.sign.abs(), log2: self.log2 }
    }

    #[inline(always)]
    fn signum(self) -> Self {
        if self.sign < 0 { -Self::one() } else { Self::one() }
    }

    fn max(self, other: Self) -> Self {
        if self >= other { self } else { other }
    }

    fn min(self, other: Self) -> Self {
        if self <= other { self } else { other }
    }

    #[track_caller]
    fn clamp(self, min: Self, max: Self) -> Self {
        assert!(min <= max, "min > max: {min:?} and {max:?}");
        self.max(min).min(max)
    }

    fn mul_add(self, a: Self, b: Self) -> Self {
        self * a + b
    }

    fn to_degrees(self) -> Self {
        self * Self::lit(180.0 / std::f64::consts::PI)
    }

    fn to_radians(self) -> Self {
        self * Self::lit(std::f64::consts::PI / 180.0)
    }
}
