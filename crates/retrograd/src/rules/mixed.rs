//! Rules of two numbers that may be of different kinds: a complex number, and a real one.

use crate::Real;

/// The rule of quotients by their divisor `B`.
pub trait Quotients<B>: Sized {
    /// `x / b` with respect to `b`, with the quotient `y`.
    fn d_div_1(b: B, y: Self) -> Self;
}

impl<T: Real> Quotients<T> for T {
    #[inline(always)]
    fn d_div_1(b: T, y: T) -> T {
        -y / b
    }
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Quotients<$type> for $type {
            #[inline(always)]
            fn d_div_1(_b: $type, _y: $type) -> $type {
                0
            }
        }

        impl Magnitude for $type {
            type Slope = $type;
            #[inline(always)]
            fn d_abs(self) -> $type {
                0
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// `x / b` with respect to `b`, with the quotient `y`.
#[inline(always)]
pub fn d_div_1<B, D: Quotients<B>>(b: B, y: D) -> D {
    D::d_div_1(b, y)
}

/// The rules of functions with an argument that stays real: an exponent, or a base.
pub trait RealArgument<E>: Sized {
    /// `x.powf(exponent)` with respect to `x`.
    fn d_powf_0(x: Self, exponent: E) -> Self;
    /// `x.log(base)` with respect to `x`.
    fn d_log_0(x: Self, base: E) -> Self;
    /// `x.log(base)` by the base, with the result `y`.
    fn d_log_1(base: E, y: Self) -> Self;
}

impl<T: Real> RealArgument<T> for T {
    #[inline(always)]
    fn d_powf_0(x: T, exponent: T) -> T {
        let slope = exponent * x.powf(exponent - T::one());
        x.select_equal(T::zero(), exponent.select_equal(T::zero(), T::zero(), slope), slope)
    }
    #[inline(always)]
    fn d_log_0(x: T, base: T) -> T {
        (x * base.ln()).recip()
    }
    #[inline(always)]
    fn d_log_1(base: T, y: T) -> T {
        -y / (base * base.ln())
    }
}

/// `x.powf(exponent)` with respect to `x`.
#[inline(always)]
pub fn d_powf_0<D: RealArgument<E>, E>(x: D, exponent: E) -> D {
    D::d_powf_0(x, exponent)
}

/// `x.log(base)` with respect to `x`.
#[inline(always)]
pub fn d_log_0<D: RealArgument<E>, E>(x: D, base: E) -> D {
    D::d_log_0(x, base)
}

/// `x.log(base)` by the base, with the result `y`.
#[inline(always)]
pub fn d_log_1<E, D: RealArgument<E>>(base: E, y: D) -> D {
    D::d_log_1(base, y)
}

/// The rule of magnitudes.
pub trait Magnitude {
    /// A real number has a slope, and a complex one a gradient.
    type Slope;
    /// `x.abs()`.
    fn d_abs(self) -> Self::Slope;
}

impl<T: Real> Magnitude for T {
    type Slope = T;
    #[inline(always)]
    fn d_abs(self) -> T {
        // Zero, and NaN for NaN.
        let flat = self.select_equal(self, T::zero(), self);
        self.select_less(T::zero(), -T::one(), T::zero().select_less(self, T::one(), flat))
    }
}

/// `x.abs()`.
#[inline(always)]
pub fn d_abs<D: Magnitude>(x: D) -> D::Slope {
    x.d_abs()
}
