//! Powers and roots.

use super::super::registers::Parts;
use super::double::Double;
use super::exponentials::{exp, exp_of_double};
use super::logarithms::{ln, ln_in_full};
use super::polynomial;

/// `x` to the power `y`.
#[inline(always)]
pub(in super::super) fn powf<R: Parts>(x: R, y: R) -> R {
    let product = ln_in_full(x.abs()).times(Double::from(moderate(y)));
    with_limits(x, y, exp_of_double(product))
}

/// The same with digits enough for a result of `f32`.
#[inline(always)]
pub(in super::super) fn powf_for_single<R: Parts>(x: R, y: R) -> R {
    with_limits(x, y, exp(ln(x.abs()).mul(moderate(y))))
}

/// Not beyond numbers to the power of which everything is 0, 1 or ∞.
#[inline(always)]
fn moderate<R: Parts>(y: R) -> R {
    y.between(R::splat(-1e20), R::splat(1e20))
}

/// The power of the magnitude as the power of `x`, also where it has a limit or none.
#[inline(always)]
fn with_limits<R: Parts>(x: R, y: R, value: R) -> R {
    let (zero, one, infinity, nan) = (R::ZERO, R::splat(1.0), R::splat(f64::INFINITY), R::splat(f64::NAN));
    let a = x.abs();
    // Zero and infinity: to a positive power, each is itself.
    let limits = R::or(a.equal(zero), a.equal(infinity));
    let inverse = R::select(a.equal(zero), infinity, zero);
    let value = R::select(limits, R::select(zero.less(y), a, inverse), value);
    // Of what is negative, only whole powers, and the odd ones are negative.
    let whole = y.trunc().equal(y);
    let half = y.mul(R::splat(0.5));
    let odd = R::and(whole, R::not(half.trunc().equal(half)));
    let value = R::select(odd, value.with_sign_of(x), value);
    let minus = R::and(x.less(zero), R::not(limits));
    let value = R::select(R::and(minus, R::not(whole)), nan, value);
    let value = R::select(R::and(x.equal(x), y.equal(y)), value, nan);
    // Whatever the other one is, even NaN. And −1 to an infinite power is 1.
    let unit = R::or(x.equal(one), R::and(a.equal(one), y.abs().equal(infinity)));
    R::select(R::or(y.equal(zero), unit), one, value)
}

/// The cube root.
#[inline(always)]
pub(in super::super) fn cbrt<R: Parts>(x: R) -> R {
    let (a, one) = (x.abs(), R::splat(1.0));
    let tiny = a.less(R::splat(f64::MIN_POSITIVE));
    let (m, e) = R::select(tiny, a.mul(R::splat(18014398509481984.0)), a).mantissa_and_exponent();
    // The exponent is 3·q + r.
    let q = e.add(R::splat(0.5)).mul(R::splat(1.0 / 3.0)).floor();
    let r = q.mul_add(R::splat(-3.0), e);
    let (none, single) = (r.equal(R::ZERO), r.equal(one));
    let root = R::select(none, one, R::select(single, R::splat(ROOT_OF_TWO), R::splat(ROOT_OF_FOUR)));
    let m3 = m.mul(R::select(none, one, R::select(single, R::splat(2.0), R::splat(4.0))));
    // The polynomial is good to 30 bits, and Newton's step doubles them.
    let y = polynomial(m, CBRT).mul(root);
    let square = Double::product(y, y);
    let cube = Double::product(square.high, y).plus_small(square.low.mul(y));
    let rest = m3.sub(cube.high).sub(cube.low);
    let y = y.add(rest.div(square.high.mul(R::splat(3.0))));
    let q = R::select(tiny, q.sub(R::splat(18.0)), q);
    let value = y.mul(q.power_of_two()).with_sign_of(x);
    R::select(R::and(R::ZERO.less(a), a.less(R::splat(f64::INFINITY))), value, x)
}

/// The length of the vector `(x, y)`.
#[inline(always)]
pub(in super::super) fn hypot<R: Parts>(x: R, y: R) -> R {
    let (x, y) = (x.abs(), y.abs());
    let swapped = x.less(y);
    let (a, b) = (R::select(swapped, y, x), R::select(swapped, x, y));
    // Out of the way of overflow and underflow.
    let (one, infinity) = (R::splat(1.0), R::splat(f64::INFINITY));
    let (large, small) = (R::splat(1e150).less(a), a.less(R::splat(1e-130)));
    let there = R::select(large, R::splat(1.0 / FAR), R::select(small, R::splat(FAR), one));
    let back = R::select(large, R::splat(FAR), R::select(small, R::splat(1.0 / FAR), one));
    let (a, b) = (a.mul(there), b.mul(there));
    let (a, b) = (Double::product(a, a), Double::product(b, b));
    let sum = Double::ordered_sum(a.high, b.high).plus_small(a.low.add(b.low));
    let value = sum.sqrt().round().mul(back);
    R::select(R::or(x.equal(infinity), y.equal(infinity)), infinity, value)
}

/// 2⁶⁰⁰.
const FAR: f64 = 4.149515568880993e180;

/// The cube root of 2.
const ROOT_OF_TWO: f64 = 1.259921049894873;

/// The cube root of 4.
const ROOT_OF_FOUR: f64 = 1.5874010519681994;

/// The cube root between 1 and 2.
const CBRT: [f64; 10] = [
    0.0005005537972978773,
    -0.00763300655056187,
    0.052301582081578195,
    -0.21251451676850144,
    0.5692796583404337,
    -1.0586550266670098,
    1.4086176975034332,
    -1.3927365213975718,
    1.2467100346858004,
    0.3941295457626128,
];
