//! Logarithms, and the inverses of hyperbolic functions, which are made of them.

use std::f64::consts;

use super::super::registers::Parts;
use super::double::Double;
use super::{LN_2, polynomial};

/// Of a positive number, what is left between √½ and √2 without a power of two, and the exponent of that power.
#[inline(always)]
fn split<R: Parts>(x: R) -> (R, R) {
    let tiny = x.less(R::splat(f64::MIN_POSITIVE));
    let normal = R::select(tiny, x.mul(R::splat(18014398509481984.0)), x);
    let (mantissa, exponent) = split_normal(normal);
    (mantissa, R::select(tiny, exponent.sub(R::splat(54.0)), exponent))
}

/// The same of a normal number.
#[inline(always)]
fn split_normal<R: Parts>(x: R) -> (R, R) {
    let (mantissa, exponent) = x.mantissa_and_exponent();
    let large = R::splat(consts::SQRT_2).less(mantissa);
    let halved = mantissa.mul(R::splat(0.5));
    (R::select(large, halved, mantissa), R::select(large, exponent.add(R::splat(1.0)), exponent))
}

/// `exponent`·ln 2 + ln(1 + f) + `low`.
#[inline(always)]
fn combine<R: Parts>(exponent: R, f: R, low: R) -> R {
    // With s = f / (2 + f), the logarithm of 1 + f is 2 artanh s, and f − (f²/2 − ..) loses no digits.
    let s = f.div(f.add(R::splat(2.0)));
    let z = s.mul(s);
    let rest = z.mul(polynomial(z, ARTANH));
    let half_square = f.mul(f).mul(R::splat(0.5));
    let low = s.mul_add(half_square.add(rest), exponent.mul_add(R::splat(LN_2.1), low));
    exponent.mul_add(R::splat(LN_2.0), f.sub(half_square.sub(low)))
}

/// A logarithm of `x`: the `value`, but for zero, what is negative, infinity and NaN.
#[inline(always)]
fn where_there_is_one<R: Parts>(x: R, value: R) -> R {
    let value = R::select(R::ZERO.less(x), value, R::splat(f64::NAN));
    let value = R::select(x.equal(R::ZERO), R::splat(f64::NEG_INFINITY), value);
    R::select(x.equal(R::splat(f64::INFINITY)), x, value)
}

/// The natural logarithm.
#[inline(always)]
pub(in super::super) fn ln<R: Parts>(x: R) -> R {
    let (mantissa, exponent) = split(x);
    where_there_is_one(x, combine(exponent, mantissa.sub(R::splat(1.0)), R::ZERO))
}

/// The natural logarithm of 1 + `x`.
#[inline(always)]
pub(in super::super) fn ln_1p<R: Parts>(x: R) -> R {
    let value = ln_1p_of_double(Double::from(x), R::ZERO).with_sign_of(x);
    where_there_is_one(x.add(R::splat(1.0)), value)
}

/// The natural logarithm of (1 + `x`)·2ⁿ, where n is zero unless `x` is large.
#[inline(always)]
fn ln_1p_of_double<R: Parts>(x: Double<R>, n: R) -> R {
    let one = R::splat(1.0);
    let sum = Double::sum(one, x.high);
    let (mantissa, exponent) = split_normal(sum.high);
    // Next to 1, the sum has lost digits that the result needs.
    let near = x.high.abs().less(R::splat(0.25));
    let f = R::select(near, x.high, mantissa.sub(one));
    let exponent = R::select(near, R::ZERO, exponent.add(n));
    let low = R::select(near, x.low, sum.low.add(x.low));
    combine(exponent, f, low.div(sum.high))
}

/// The natural logarithm, between √½ and √2, good to 58 bits.
#[inline(always)]
fn ln_of_mantissa<R: Parts>(mantissa: R) -> Double<R> {
    let s = argument_of_artanh(mantissa);
    let z = s.high.mul(s.high);
    let rest = z.mul(s.high).mul_add(polynomial(z, ARTANH), s.low.add(s.low));
    Double::ordered_sum(s.high.add(s.high), rest)
}

/// The same with twice the digits.
#[inline(always)]
fn ln_of_mantissa_in_full<R: Parts>(mantissa: R) -> Double<R> {
    let s = argument_of_artanh(mantissa);
    let z = s.times(s);
    let rest = polynomial(z.high, ARTANH_FROM_THE_FIFTH);
    let product = Double::product(z.high, rest).plus_small(z.low.mul(rest));
    let cubic = Double::<R>::constant(TWO_THIRDS.0, TWO_THIRDS.1);
    let cubic = Double::ordered_sum(cubic.high, product.high).plus_small(product.low.add(cubic.low));
    let rest = z.times(s).times(cubic);
    let twice = Double { high: s.high.add(s.high), low: s.low.add(s.low) };
    Double::ordered_sum(twice.high, rest.high).plus_small(twice.low.add(rest.low))
}

/// The s of which the logarithm is 2 artanh s.
#[inline(always)]
fn argument_of_artanh<R: Parts>(mantissa: R) -> Double<R> {
    let f = mantissa.sub(R::splat(1.0));
    Double::from(f).over(Double::ordered_sum(R::splat(2.0), f))
}

/// `exponent`·ln 2 + `ln`.
#[inline(always)]
fn with_exponent<R: Parts>(exponent: R, ln: Double<R>) -> Double<R> {
    let low = exponent.mul_add(R::splat(LN_2.1), ln.low);
    let sum = Double::sum(exponent.mul(R::splat(LN_2.0)), ln.high).plus_small(low);
    Double::ordered_sum(sum.high, sum.low)
}

/// The natural logarithm of a positive number with twice the digits.
#[inline(always)]
pub(super) fn ln_in_full<R: Parts>(x: R) -> Double<R> {
    let (mantissa, exponent) = split(x);
    with_exponent(exponent, ln_of_mantissa_in_full(mantissa))
}

/// The natural logarithm of a positive number, good to 58 bits.
#[inline(always)]
fn ln_and_more<R: Parts>(x: R) -> Double<R> {
    let (mantissa, exponent) = split(x);
    with_exponent(exponent, ln_of_mantissa(mantissa))
}

/// The logarithm to base 2: a whole number for a power of two.
#[inline(always)]
pub(in super::super) fn log2<R: Parts>(x: R) -> R {
    let (mantissa, exponent) = split(x);
    let log = ln_of_mantissa(mantissa).times(Double::constant(consts::LOG2_E, LOG2_E_REST));
    let sum = Double::sum(exponent, log.high).plus_small(log.low);
    where_there_is_one(x, sum.round())
}

/// The logarithm to base 10.
#[inline(always)]
pub(in super::super) fn log10<R: Parts>(x: R) -> R {
    let log = ln_and_more(x).times(Double::constant(consts::LOG10_E, LOG10_E_REST));
    where_there_is_one(x, log.round())
}

/// The logarithm to any base.
#[inline(always)]
pub(in super::super) fn log<R: Parts>(x: R, base: R) -> R {
    let (x, base) = (with_limits(x), with_limits(base));
    let value = x.high.div(base.high);
    let rest = value.neg().mul_add(base.high, x.high);
    let rest = rest.add(value.neg().mul_add(base.low, x.low)).div(base.high);
    // At the limits, the rest is NaN.
    R::select(rest.abs().less(value.abs()), value.add(rest), value)
}

/// The same with digits enough for a result of `f32`.
#[inline(always)]
pub(in super::super) fn log_for_single<R: Parts>(x: R, base: R) -> R {
    ln(x).div(ln(base))
}

/// The natural logarithm good to 58 bits, also where it has no finite value.
#[inline(always)]
fn with_limits<R: Parts>(x: R) -> Double<R> {
    let ln = ln_and_more(x);
    Double { high: where_there_is_one(x, ln.high), low: ln.low }
}

/// From here, the square root of x² ± 1 is x.
const LARGE: f64 = 268435456.0;

/// The inverse of the hyperbolic sine.
#[inline(always)]
pub(in super::super) fn asinh<R: Parts>(x: R) -> R {
    let (a, one) = (x.abs(), R::splat(1.0));
    // a + √(a² + 1) = 1 + a + a² / (1 + √(a² + 1)).
    let square = Double::product(a, a);
    let root = Double::sum(one, square.high).plus_small(square.low).sqrt();
    let rest = square.over(Double::ordered_sum(root.high, one).plus_small(root.low));
    let sum = Double::ordered_sum(a, rest.high).plus_small(rest.low);
    ln_of_sum(a, sum).with_sign_of(x)
}

/// The inverse of the hyperbolic cosine.
#[inline(always)]
pub(in super::super) fn acosh<R: Parts>(x: R) -> R {
    // With t = x − 1, x + √(x² − 1) = 1 + t + √(t·(t + 2)).
    let t = Double::sum(x, R::splat(-1.0));
    let root = Double::sum(t.high, R::splat(2.0)).plus_small(t.low).times(t).sqrt();
    let sum = Double::sum(t.high, root.high).plus_small(t.low.add(root.low));
    R::select(x.less(R::splat(1.0)), R::splat(f64::NAN), ln_of_sum(x, sum))
}

/// The logarithm of 1 + `sum`, or of 2·`x` where that is the same.
#[inline(always)]
fn ln_of_sum<R: Parts>(x: R, sum: Double<R>) -> R {
    let large = R::splat(LARGE).less(x);
    let other = Double::sum(x, R::splat(-1.0));
    let sum = Double { high: R::select(large, other.high, sum.high), low: R::select(large, other.low, sum.low) };
    let value = ln_1p_of_double(sum, R::select(large, R::splat(1.0), R::ZERO));
    R::select(x.equal(R::splat(f64::INFINITY)), x, value)
}

/// The inverse of the hyperbolic tangent.
#[inline(always)]
pub(in super::super) fn atanh<R: Parts>(x: R) -> R {
    let (a, one) = (x.abs(), R::splat(1.0));
    // Half of the logarithm of (1 + a) / (1 − a) = 1 + 2a / (1 − a).
    let quotient = Double::from(a.add(a)).over(Double::ordered_sum(one, a.neg()));
    let value = ln_1p_of_double(quotient, R::ZERO).mul(R::splat(0.5));
    let value = R::select(a.equal(one), R::splat(f64::INFINITY), value);
    R::select(one.less(a), R::splat(f64::NAN), value).with_sign_of(x)
}

/// What 1 / ln 2 has beyond the digits of a number.
const LOG2_E_REST: f64 = 2.0355273740931033e-17;

/// What 1 / ln 10 has beyond the digits of a number.
const LOG10_E_REST: f64 = 1.098319650216765e-17;

/// 2/3 with twice the digits.
const TWO_THIRDS: (f64, f64) = (0.6666666666666666, 3.700743415417188e-17);

/// (2 artanh s − 2 s) / s³, by s².
const ARTANH: [f64; 7] = [
    0.14616585424888623,
    0.15331710618210773,
    0.18182889455674947,
    0.22222211130259878,
    0.2857142862600327,
    0.39999999999899444,
    0.666666666666667,
];

/// (2 artanh s − 2 s − 2/3 s³) / s⁵, by s².
const ARTANH_FROM_THE_FIFTH: [f64; 8] = [
    0.11723178623876518,
    0.11706236339491206,
    0.1333480469384731,
    0.1538459496251843,
    0.18181818335392802,
    0.22222222221655885,
    0.28571428571429364,
    0.4,
];
