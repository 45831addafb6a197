//! Powers of e and of 2, and what is made of them.

use std::f64::consts;

use super::super::registers::Parts;
use super::double::Double;
use super::{LN_2, nearest, polynomial};

/// e to the power `x`.
#[inline(always)]
pub(in super::super) fn exp<R: Parts>(x: R) -> R {
    // Beyond these, the result is 0 or ∞ anyway.
    let x = x.between(R::splat(-746.0), R::splat(710.0));
    let n = nearest(x.mul(R::splat(consts::LOG2_E)));
    let r = n.mul_add(R::splat(-LN_2.0), x);
    let r = n.mul_add(R::splat(-LN_2.1), r);
    let p = polynomial(r, EXP).mul_add(r, R::splat(1.0));
    p.mul_add(r, R::splat(1.0)).scale(n)
}

/// e to the power of a number with twice the digits.
#[inline(always)]
pub(super) fn exp_of_double<R: Parts>(x: Double<R>) -> R {
    let (n, r) = reduce(x.high.between(R::splat(-760.0), R::splat(720.0)));
    // Of numbers beyond these, the low part may be anything.
    let low = x.low.between(R::splat(-1e-10), R::splat(1e-10));
    one_and_more(n, Double::sum(r.high, r.low.add(low)))
}

/// 2 to the power `x`.
#[inline(always)]
pub(in super::super) fn exp2<R: Parts>(x: R) -> R {
    let x = x.between(R::splat(-1080.0), R::splat(1030.0));
    let n = nearest(x);
    let r = x.sub(n);
    let r = Double::product(r, R::splat(consts::LN_2)).plus_small(r.mul(R::splat(LN_2_REST)));
    one_and_more(n, r)
}

/// What ln 2 has beyond the digits of a number.
const LN_2_REST: f64 = 2.3190468138462996e-17;

/// The n and the r, not more than half of ln 2, of x = n·ln 2 + r.
#[inline(always)]
fn reduce<R: Parts>(x: R) -> (R, Double<R>) {
    let n = nearest(x.mul(R::splat(consts::LOG2_E)));
    (n, Double::sum(n.mul_add(R::splat(-LN_2.0), x), n.mul(R::splat(-LN_2.1))))
}

/// e to the power r, without 1 and the high part of r.
#[inline(always)]
fn rest_of_power<R: Parts>(r: Double<R>) -> R {
    let square = r.high.mul(r.high);
    polynomial(r.high, EXP).mul_add(square, r.low.mul_add(r.high, r.low))
}

/// 2ⁿ · e^r.
#[inline(always)]
fn one_and_more<R: Parts>(n: R, r: Double<R>) -> R {
    let sum = Double::ordered_sum(R::splat(1.0), r.high);
    sum.plus_small(rest_of_power(r)).round().scale(n)
}

/// e to the power `x`, less 1.
#[inline(always)]
pub(in super::super) fn exp_m1<R: Parts>(x: R) -> R {
    let (n, r) = reduce(x.between(R::splat(-50.0), R::splat(710.0)));
    // 2ⁿ·((1 − 2⁻ⁿ) + (e^r − 1)).
    let small = n.between(R::splat(-100.0), R::splat(100.0)).neg().power_of_two();
    let whole = Double::sum(R::splat(1.0), small.neg());
    let sum = Double::sum(whole.high, r.high).plus_small(whole.low.add(rest_of_power(r)));
    sum.round().scale(n).with_sign_of(x)
}

/// Hyperbolic sine and cosine without a factor of 2ⁿ, and that n. `x` is not negative.
#[inline(always)]
fn hyperbolic<R: Parts>(x: R) -> (Double<R>, Double<R>, R) {
    let (n, r) = reduce(x.between(R::ZERO, R::splat(712.0)));
    let z = r.high.mul(r.high);
    // Those of r: the cosine less 1, and the sine less r.high.
    let cosine = z.mul_add(polynomial(z, COSH), r.high.mul(r.low));
    let sine = z.mul(r.high).mul_add(polynomial(z, SINH), r.low);
    // Those of n·ln 2: halves of 1 ∓ 2⁻²ⁿ.
    let half = R::splat(0.5);
    let small = n.between(R::ZERO, R::splat(100.0)).mul(R::splat(-2.0)).power_of_two().mul(half);
    let (s, c) = (Double::ordered_sum(half, small.neg()), Double::ordered_sum(half, small));
    // And those of the sum.
    (theirs(s, c, r.high, sine, cosine), theirs(c, s, r.high, sine, cosine), n)
}

/// `a·(1 + cosine) + b·(r + sine)`.
#[inline(always)]
fn theirs<R: Parts>(a: Double<R>, b: Double<R>, r: R, sine: R, cosine: R) -> Double<R> {
    let product = Double::product(b.high, r);
    let low = b.low.mul_add(r, product.low.add(a.low));
    let low = a.high.mul_add(cosine, b.high.mul_add(sine, low));
    let sum = Double::sum(a.high, product.high).plus_small(low);
    Double::ordered_sum(sum.high, sum.low)
}

/// The hyperbolic sine.
#[inline(always)]
pub(in super::super) fn sinh<R: Parts>(x: R) -> R {
    let (sine, _, n) = hyperbolic(x.abs());
    sine.round().scale(n).with_sign_of(x)
}

/// The hyperbolic cosine.
#[inline(always)]
pub(in super::super) fn cosh<R: Parts>(x: R) -> R {
    let (_, cosine, n) = hyperbolic(x.abs());
    cosine.round().scale(n)
}

/// The hyperbolic tangent.
#[inline(always)]
pub(in super::super) fn tanh<R: Parts>(x: R) -> R {
    let (sine, cosine, _) = hyperbolic(x.abs());
    sine.over(cosine).round().with_sign_of(x)
}

/// (eʳ − 1 − r) / r².
const EXP: [f64; 11] = [
    2.0914686968086876e-09,
    2.5105217004720745e-08,
    2.75572736431103e-07,
    2.7557255400206422e-06,
    2.4801587325547743e-05,
    0.00019841269874820627,
    0.0013888888888883748,
    0.008333333333326136,
    0.04166666666666667,
    0.1666666666666667,
    0.5,
];

/// (sinh r − r) / r³, by r².
const SINH: [f64; 5] =
    [2.510038549551032e-08, 2.7557268459997064e-06, 0.00019841269863053618, 0.008333333333330062, 0.16666666666666669];

/// (cosh r − 1) / r², by r².
const COSH: [f64; 6] = [
    2.0918137737642736e-09,
    2.75572632790885e-07,
    2.4801587336442236e-05,
    0.0013888888888879073,
    0.04166666666666668,
    0.5,
];
