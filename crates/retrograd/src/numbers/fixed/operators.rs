//! Arithmetic of fixed-point numbers.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Fixed;
use crate::numbers::operators::{assign_operators, sums_and_products};

impl<const FRAC: u32> Add for Fixed<FRAC> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Fixed::from_bits(self.bits.wrapping_add(other.bits))
    }
}

impl<const FRAC: u32> Sub for Fixed<FRAC> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Fixed::from_bits(self.bits.wrapping_sub(other.bits))
    }
}

impl<const FRAC: u32> crate::ops::NegUpdate for Fixed<FRAC> {}
impl<const FRAC: u32> crate::Linear for Fixed<FRAC> {}

impl<const FRAC: u32> Neg for Fixed<FRAC> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Fixed::from_bits(self.bits.wrapping_neg())
    }
}

impl<const FRAC: u32> Mul for Fixed<FRAC> {
    type Output = Self;

    #[inline(always)]
    #[track_caller]
    fn mul(self, other: Self) -> Self {
        Fixed::fit(shifted(i128::from(self.bits) * i128::from(other.bits), FRAC), "a * b")
    }
}

impl<const FRAC: u32> Div for Fixed<FRAC> {
    type Output = Self;

    #[inline(always)]
    #[track_caller]
    fn div(self, other: Self) -> Self {
        if other.bits == 0 {
            by_zero(self);
        }
        Fixed::fit(quotient(i128::from(self.bits) << FRAC, i128::from(other.bits)), "a / b")
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn by_zero<const FRAC: u32>(dividend: Fixed<FRAC>) -> ! {
    panic!(
        "{dividend} is divided by zero, and fixed-point numbers have no infinity; write `if d != T::zero() {{ .. }}` around it"
    )
}

/// `product` over 2 to the power `frac`, rounded to the nearest integer: halves upwards.
#[inline(always)]
pub(super) fn shifted(product: i128, frac: u32) -> i128 {
    (product + ((1_i128 << frac) >> 1)) >> frac
}

/// The bits with `to` of them after the point instead of `from`, rounded to the nearest.
pub(super) fn rescaled(bits: i64, from: u32, to: u32) -> i128 {
    let bits = i128::from(bits);
    if to >= from { bits << (to - from) } else { shifted(bits, from - to) }
}

/// `a / b`, rounded to the nearest integer.
#[inline(always)]
fn quotient(a: i128, b: i128) -> i128 {
    let (whole, rest) = (a / b, a % b);
    // Rounded towards zero so far; the rest decides whether to go one further.
    if rest.unsigned_abs() * 2 >= b.unsigned_abs() { whole + (a.signum() * b.signum()) } else { whole }
}

assign_operators!([const FRAC: u32] Fixed<FRAC>, Fixed<FRAC>);
sums_and_products!([const FRAC: u32] Fixed<FRAC>);
