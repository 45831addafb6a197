//! Elementary functions of registers, from the operations that registers have.
//!
//! Each is a reduction of the argument to a short interval, a polynomial there, and the way back. What the result hangs on
//! is carried as the sum of two numbers, so that little more is lost than in the last rounding. The coefficients come from
//! `scripts/lanes-reference coefficients`, and the errors are tested against its other output, `tests/reference.tsv`.

mod angles;
mod arcs;
mod double;
mod exponentials;
mod logarithms;
mod powers;
mod rounding;

use super::registers::Parts;

pub(super) use angles::{sin_cos, tan};
pub(super) use arcs::{acos, asin, atan, atan2};
pub(super) use exponentials::{cosh, exp, exp_m1, exp2, sinh, tanh};
pub(super) use logarithms::{acosh, asinh, atanh, ln, ln_1p, log, log_for_single, log2, log10};
pub(super) use powers::{cbrt, hypot, powf, powf_for_single};
pub(super) use rounding::{rem_euclid, round, signum};

/// 1.5 · 2⁵²: added to a number that is not too large, it leaves the nearest whole number in the lowest bits.
pub(super) const SHIFTER: f64 = 6755399441055744.0;

/// ln 2, as the sum of two numbers; the first one has so few digits that its products with exponents are exact.
const LN_2: (f64, f64) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);

/// The polynomial with these coefficients, the highest one first.
#[inline(always)]
fn polynomial<R: Parts, const N: usize>(x: R, coefficients: [f64; N]) -> R {
    let mut sum = R::splat(coefficients[0]);
    for i in 1..N {
        sum = sum.mul_add(x, R::splat(coefficients[i]));
    }
    sum
}

/// The nearest whole number, of numbers below 2⁵¹.
#[inline(always)]
fn nearest<R: Parts>(x: R) -> R {
    x.add(R::splat(SHIFTER)).sub(R::splat(SHIFTER))
}
