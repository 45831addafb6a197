//! The elementary functions of fixed-point numbers.

use super::Fixed;
use super::double::Double;
use super::elementary;
use super::operators::shifted;
use crate::Real;
use crate::real::Int;

impl<const FRAC: u32> Fixed<FRAC> {
    #[inline]
    fn double(self) -> Double {
        Double::from_bits(self.bits, FRAC)
    }

    #[inline]
    #[track_caller]
    fn rounded(value: Double, operation: &str) -> Self {
        Fixed::fit(value.to_bits(FRAC), operation)
    }

    /// Whether the number is a float.
    #[inline]
    fn is_float(self) -> bool {
        self.bits.unsigned_abs() <= 1 << 53
    }

    /// The value of a function, rounded once. `float` is its value in floating point, if the arguments are floats. Mostly that is
    /// enough to say how the value is rounded; where it is not, `exactly` has more digits.
    #[inline]
    #[track_caller]
    fn from_either(float: Option<f64>, exactly: impl FnOnce() -> Double, operation: &str) -> Self {
        const FOUR_UNITS: f64 = 4.0 * f64::EPSILON;
        let one = Self::ONE as f64;
        if let Some(float) = float {
            // More than the functions of the standard library are off, relative to their value or to one.
            let (scaled, error) = (float * one, (float.abs() + 1.0) * one * FOUR_UNITS);
            let (low, high) = ((scaled - error).round(), (scaled + error).round());
            if low == high {
                return Fixed::fit(low as i128, operation);
            }
        }
        Fixed::rounded(exactly(), operation)
    }

    /// By way of `f64`.
    #[track_caller]
    fn floating(self, operation: &str, function: fn(f64) -> f64) -> Self {
        match Fixed::try_from(function(self.to_f64())) {
            Ok(value) => value,
            Err(error) => panic!("`{operation}` of {self}: {error}"),
        }
    }

    /// Panics unless the function `name` is defined at `self`; `domain` says where it is.
    #[inline(always)]
    #[track_caller]
    fn within(self, defined: bool, name: &str, domain: &str) {
        if !defined {
            undefined(self, name, domain);
        }
    }

    /// The whole number that is left when the bits after the point are cut off, after `add` was added to the bits.
    #[inline(always)]
    #[track_caller]
    fn whole(self, add: i64, operation: &str) -> Self {
        Fixed::fit((i128::from(self.bits) + i128::from(add)) & !i128::from(Self::ONE - 1), operation)
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn undefined<const FRAC: u32>(x: Fixed<FRAC>, name: &str, domain: &str) -> ! {
    panic!(
        "`{name}` of {x} is not a number, and fixed-point numbers have no NaN: {domain}; test the argument before, or `clamp` it"
    )
}

/// Functions that are defined everywhere.
macro_rules! everywhere {
    ($($function:ident)*) => {$(
        #[track_caller]
        fn $function(self) -> Self {
            let float = self.is_float().then(|| self.to_f64().$function());
            let exactly = || elementary::$function(self.double());
            Fixed::from_either(float, exactly, concat!("x.", stringify!($function), "()"))
        }
    )*};
}

/// Functions that are defined where `$defined` holds of the value.
macro_rules! somewhere {
    ($($function:ident($x:ident => $defined:expr, $domain:literal))*) => {$(
        #[track_caller]
        fn $function(self) -> Self {
            let $x = self.bits;
            self.within($defined, stringify!($function), $domain);
            let float = self.is_float().then(|| self.to_f64().$function());
            let exactly = || elementary::$function(self.double());
            Fixed::from_either(float, exactly, concat!("x.", stringify!($function), "()"))
        }
    )*};
}

impl<const FRAC: u32> Real for Fixed<FRAC> {
    crate::numbers::without_lanes!();

    #[inline(always)]
    fn zero() -> Self {
        Fixed::from_bits(0)
    }

    #[inline(always)]
    fn one() -> Self {
        Fixed::from_bits(Self::ONE)
    }

    #[inline]
    #[track_caller]
    fn lit(value: f64) -> Self {
        match Fixed::try_from(value) {
            Ok(fixed) => fixed,
            Err(error) => panic!("{error}"),
        }
    }

    #[inline]
    #[track_caller]
    fn from_int(n: impl Int) -> Self {
        let bits = n.to_i128().and_then(|n| n.checked_mul(Self::ONE.into())).unwrap_or(i128::MAX);
        Fixed::fit(bits, &format!("{n:?} as T"))
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        // Dividing by a power of two is exact, so this is rounded once.
        self.bits as f64 / Self::ONE as f64
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        true
    }

    everywhere! { cbrt exp exp2 sinh cosh tanh asinh to_degrees to_radians }
    somewhere! {
        ln(x => x > 0, "a logarithm needs a positive number")
        log2(x => x > 0, "a logarithm needs a positive number")
        log10(x => x > 0, "a logarithm needs a positive number")
        asin(x => x.unsigned_abs() <= Self::ONE as u64, "an arc sine needs a number from -1 to 1")
        acos(x => x.unsigned_abs() <= Self::ONE as u64, "an arc cosine needs a number from -1 to 1")
        acosh(x => x >= Self::ONE, "it needs a number from 1 on")
        atanh(x => x.unsigned_abs() < Self::ONE as u64, "it needs a number between -1 and 1")
    }

    #[track_caller]
    fn powi(self, n: i32) -> Self {
        self.within(n >= 0 || self.bits != 0, "powi", "a negative power of zero is a division by zero");
        Fixed::rounded(elementary::powi(self.double(), n), "x.powi(n)")
    }

    #[track_caller]
    fn powf(self, exponent: Self) -> Self {
        let whole = exponent.fract().bits == 0;
        match i32::try_from(exponent.bits >> FRAC) {
            Ok(n) if whole => self.powi(n),
            _ => {
                self.within(
                    self.bits > 0 || self.bits == 0 && exponent.bits > 0,
                    "powf",
                    "a power that is not whole needs a positive number",
                );
                if self.bits == 0 {
                    return self;
                }
                let float = (self.is_float() && exponent.is_float()).then(|| self.to_f64().powf(exponent.to_f64()));
                Fixed::from_either(float, || elementary::powf(self.double(), exponent.double()), "x.powf(y)")
            }
        }
    }

    #[inline]
    #[track_caller]
    fn sqrt(self) -> Self {
        self.within(self.bits >= 0, "sqrt", "a square root needs a number that is not negative");
        Fixed::fit(nearest_root((self.bits as u128) << FRAC), "x.sqrt()")
    }

    #[inline(always)]
    #[track_caller]
    fn square(self) -> Self {
        self * self
    }

    #[track_caller]
    fn cube(self) -> Self {
        self.powi(3)
    }

    #[inline]
    #[track_caller]
    fn hypot(self, other: Self) -> Self {
        let square = |x: i64| u128::from(x.unsigned_abs()) * u128::from(x.unsigned_abs());
        Fixed::fit(nearest_root(square(self.bits) + square(other.bits)), "x.hypot(y)")
    }

    #[inline]
    #[track_caller]
    fn recip(self) -> Self {
        Self::one() / self
    }

    #[inline(always)]
    fn conj(self) -> Self {
        self
    }

    #[track_caller]
    fn exp_m1(self) -> Self {
        let float = self.is_float().then(|| self.to_f64().exp_m1());
        Fixed::from_either(float, || elementary::exp(self.double()) - Double::ONE, "x.exp_m1()")
    }

    #[track_caller]
    fn ln_1p(self) -> Self {
        self.within(self.bits > -Self::ONE, "ln_1p", "it needs a number above -1");
        let float = self.is_float().then(|| self.to_f64().ln_1p());
        Fixed::from_either(float, || elementary::ln(self.double() + Double::ONE), "x.ln_1p()")
    }

    #[track_caller]
    fn log(self, base: Self) -> Self {
        self.within(self.bits > 0, "log", "a logarithm needs a positive number");
        base.within(base.bits > 0 && base.bits != Self::ONE, "log", "a base is positive, and not 1");
        Fixed::rounded(elementary::ln(self.double()) / elementary::ln(base.double()), "x.log(base)")
    }

    #[track_caller]
    fn sin(self) -> Self {
        let float = self.is_float().then(|| self.to_f64().sin());
        Fixed::from_either(float, || elementary::sin_cos(self.double()).0, "x.sin()")
    }

    #[track_caller]
    fn cos(self) -> Self {
        let float = self.is_float().then(|| self.to_f64().cos());
        Fixed::from_either(float, || elementary::sin_cos(self.double()).1, "x.cos()")
    }

    #[track_caller]
    fn tan(self) -> Self {
        let float = self.is_float().then(|| self.to_f64().tan());
        let exactly = || {
            let (sin, cos) = elementary::sin_cos(self.double());
            sin / cos
        };
        Fixed::from_either(float, exactly, "x.tan()")
    }

    #[track_caller]
    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }

    #[track_caller]
    fn atan(self) -> Self {
        self.atan2(Self::one())
    }

    #[track_caller]
    fn atan2(self, x: Self) -> Self {
        let float = (self.is_float() && x.is_float()).then(|| self.to_f64().atan2(x.to_f64()));
        Fixed::from_either(float, || elementary::atan2(self.double(), x.double()), "y.atan2(x)")
    }

    #[track_caller]
    fn erf(self) -> Self {
        self.floating("erf", libm::erf)
    }

    #[track_caller]
    fn gamma(self) -> Self {
        self.floating("gamma", libm::tgamma)
    }

    #[track_caller]
    fn lgamma(self) -> Self {
        self.floating("lgamma", libm::lgamma)
    }

    #[inline(always)]
    #[track_caller]
    fn abs(self) -> Self {
        Fixed::fit(i128::from(self.bits).abs(), "x.abs()")
    }

    #[inline(always)]
    fn signum(self) -> Self {
        if self.bits < 0 { -Self::one() } else { Self::one() }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Ord::max(self, other)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Ord::min(self, other)
    }

    #[inline(always)]
    #[track_caller]
    fn clamp(self, min: Self, max: Self) -> Self {
        Ord::clamp(self, min, max)
    }

    #[inline(always)]
    #[track_caller]
    fn mul_add(self, a: Self, b: Self) -> Self {
        let sum = i128::from(self.bits) * i128::from(a.bits) + (i128::from(b.bits) << FRAC);
        Fixed::fit(shifted(sum, FRAC), "x.mul_add(a, b)")
    }

    #[inline(always)]
    fn floor(self) -> Self {
        self.whole(0, "x.floor()")
    }

    #[inline(always)]
    #[track_caller]
    fn ceil(self) -> Self {
        self.whole(Self::ONE - 1, "x.ceil()")
    }

    #[inline(always)]
    #[track_caller]
    fn round(self) -> Self {
        // Halves go away from zero: of negative numbers, upwards is not far enough.
        let half = Self::ONE >> 1;
        self.whole(if self.bits < 0 { half - i64::from(FRAC > 0) } else { half }, "x.round()")
    }

    #[inline(always)]
    fn trunc(self) -> Self {
        self.whole(if self.bits < 0 { Self::ONE - 1 } else { 0 }, "x.trunc()")
    }

    #[inline(always)]
    fn fract(self) -> Self {
        self - self.trunc()
    }

    #[inline]
    #[track_caller]
    fn rem_euclid(self, modulus: Self) -> Self {
        self.within(modulus.bits != 0, "rem_euclid(0)", "nothing is left of a division by zero");
        Fixed::fit(i128::from(self.bits).rem_euclid(modulus.bits.into()), "x.rem_euclid(m)")
    }
}

/// The integer nearest to the square root of `n`.
#[inline]
fn nearest_root(n: u128) -> i128 {
    let root = n.isqrt();
    // (root + 1/2)² = root² + root + 1/4
    (if n - root * root > root { root + 1 } else { root }) as i128
}
