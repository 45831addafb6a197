//! The elementary functions of power series.

use super::Taylor;
use super::recurrences::{circular, cube_root, exponential, hypotenuse, integrate, power, square_root, tangent};
use crate::real::Int;
use crate::{Real, rules};

/// Functions whose rule takes the argument: the rule, run on the series, is the derivative as a series.
macro_rules! integrals {
    ($($function:ident: $rule:ident),* $(,)?) => {$(
        #[inline(always)]
        fn $function(self) -> Self {
            integrate(self.value.$function(), rules::$rule(self), self)
        }
    )*};
}

/// Functions that are linear between their kinks.
macro_rules! lines {
    ($($function:ident: $rule:ident),* $(,)?) => {$(
        #[inline(always)]
        fn $function(self) -> Self {
            (self * rules::$rule(self.value)).with_value(self.value.$function())
        }
    )*};
}

/// Functions that are constant between their jumps.
macro_rules! steps {
    ($($function:ident),* $(,)?) => {$(
        #[inline(always)]
        fn $function(self) -> Self {
            Taylor::constant(self.value.$function())
        }
    )*};
}

/// Each function by the recurrence that its derivative gives, of order `K²`; the derivatives are the rules of the reverse
/// mode, run on series.
impl<T: Real, const K: usize> Real for Taylor<T, K> {
    crate::numbers::without_lanes!();

    #[inline(always)]
    fn zero() -> Self {
        Taylor::constant(T::zero())
    }

    #[inline(always)]
    fn one() -> Self {
        Taylor::constant(T::one())
    }

    #[inline(always)]
    fn lit(value: f64) -> Self {
        Taylor::constant(T::lit(value))
    }

    #[inline(always)]
    fn from_int(n: impl Int) -> Self {
        Taylor::constant(T::from_int(n))
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self.value.to_f64()
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        self.value.is_finite()
    }

    integrals! {
        asin: d_asin, acos: d_acos, atan: d_atan, asinh: d_asinh, acosh: d_acosh, atanh: d_atanh,
        ln: d_ln, ln_1p: d_ln_1p, log2: d_log2, log10: d_log10, erf: d_erf, lgamma: d_lgamma,
    }

    lines! { abs: d_abs, to_degrees: d_to_degrees, to_radians: d_to_radians }

    steps! { signum, floor, ceil, round, trunc }

    #[inline(always)]
    fn fract(self) -> Self {
        self.with_value(self.value.fract())
    }

    #[inline(always)]
    fn conj(self) -> Self {
        self
    }

    #[inline(always)]
    fn square(self) -> Self {
        (self * self).with_value(self.value.square())
    }

    #[inline(always)]
    fn cube(self) -> Self {
        (self * self * self).with_value(self.value.cube())
    }

    #[inline(always)]
    fn recip(self) -> Self {
        (Self::one() / self).with_value(self.value.recip())
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        square_root(value, rules::d_sqrt(value), self)
    }

    #[inline(always)]
    fn cbrt(self) -> Self {
        let value = self.value.cbrt();
        cube_root(value, rules::d_cbrt(value), self)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        let value = self.value.exp();
        exponential(value, rules::d_exp(value), self.slopes())
    }

    #[inline(always)]
    fn exp2(self) -> Self {
        let value = self.value.exp2();
        exponential(value, value, (self * T::lit(std::f64::consts::LN_2)).slopes())
    }

    #[inline(always)]
    fn exp_m1(self) -> Self {
        let value = self.value.exp_m1();
        exponential(value, rules::d_exp_m1(value), self.slopes())
    }

    // Γ′ = Γ ψ x′, and ψ x′ is the slope of ln Γ.
    #[inline(always)]
    fn gamma(self) -> Self {
        let value = self.value.gamma();
        exponential(value, value, integrate(T::zero(), rules::d_lgamma(self), self).slopes())
    }

    #[inline(always)]
    fn sin(self) -> Self {
        self.sin_cos().0
    }

    #[inline(always)]
    fn cos(self) -> Self {
        self.sin_cos().1
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        circular(self.value.sin_cos(), -T::one(), self.slopes())
    }

    #[inline(always)]
    fn sinh(self) -> Self {
        circular((self.value.sinh(), self.value.cosh()), T::one(), self.slopes()).0
    }

    #[inline(always)]
    fn cosh(self) -> Self {
        circular((self.value.sinh(), self.value.cosh()), T::one(), self.slopes()).1
    }

    #[inline(always)]
    fn tan(self) -> Self {
        let value = self.value.tan();
        tangent(value, rules::d_tan(value), T::one(), self.slopes())
    }

    #[inline(always)]
    fn tanh(self) -> Self {
        let value = self.value.tanh();
        tangent(value, rules::d_tanh(value), -T::one(), self.slopes())
    }

    // By squaring: exact for zero, where a recurrence would divide by it.
    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        let (mut square, mut power, mut left) = (self, Self::one(), n.unsigned_abs());
        while left > 0 {
            if left % 2 == 1 {
                power *= square;
            }
            square *= square;
            left /= 2;
        }
        let power = if n < 0 { Self::one() / power } else { power };
        power.with_value(self.value.powi(n))
    }

    #[inline(always)]
    fn powf(self, exponent: Self) -> Self {
        let value = self.value.powf(exponent.value);
        if self.value > T::zero() {
            return exponential(value, value, (exponent * self.ln()).slopes());
        }
        let mut y = power(value, exponent.value, self);
        // Without a logarithm there is no series in the exponent; if it changes, its rule says what that means.
        if !exponent.is_constant() {
            let d = rules::d_powf_1(self.value, value);
            for i in 0..K {
                y.rest[i] += exponent.rest[i] * d;
            }
        }
        y
    }

    #[inline(always)]
    fn hypot(self, other: Self) -> Self {
        let value = self.value.hypot(other.value);
        let partials = (rules::d_hypot_0(self.value, value), rules::d_hypot_1(other.value, value));
        hypotenuse(value, partials, self, other)
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        let by_self = integrate(self.value.atan2(x.value), rules::d_atan2_0(self, x), self);
        let by_x = integrate(T::zero(), rules::d_atan2_1(self, x), x);
        (by_self + by_x).with_value(by_self.value)
    }

    #[inline(always)]
    fn log(self, base: Self) -> Self {
        let value = self.value.log(base.value);
        if !value.is_finite() && base.is_constant() {
            return (self.ln() / base.value.ln()).with_value(value);
        }
        (self.ln() / base.ln()).with_value(value)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        let (x, y) = (self.value, other.value);
        (self * rules::d_max_0(x, y) + other * rules::d_max_1(x, y)).with_value(x.max(y))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        let (x, y) = (self.value, other.value);
        (self * rules::d_min_0(x, y) + other * rules::d_min_1(x, y)).with_value(x.min(y))
    }

    #[inline(always)]
    fn clamp(self, min: Self, max: Self) -> Self {
        let (x, low, high) = (self.value, min.value, max.value);
        let value = x.clamp(low, high);
        let by_bounds = min * rules::d_clamp_1(x, low, high) + max * rules::d_clamp_2(x, low, high);
        (self * rules::d_clamp_0(x, low, high) + by_bounds).with_value(value)
    }

    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        (self * a + b).with_value(self.value.mul_add(a.value, b.value))
    }

    #[inline(always)]
    fn rem_euclid(self, modulus: Self) -> Self {
        let (x, m) = (self.value, modulus.value);
        (self + modulus * rules::d_rem_euclid_1(x, m)).with_value(x.rem_euclid(m))
    }
}
