//! Angles from sines, cosines and tangents.

use super::super::registers::Parts;
use super::angles::HALF_PI;
use super::double::Double;
use super::polynomial;

/// `base`·π/2 + `factor`·`angle`, where `base` and `factor` are small whole numbers.
#[inline(always)]
fn turned<R: Parts>(base: R, factor: R, angle: Double<R>) -> R {
    let sum = Double::sum(base.mul(R::splat(HALF_PI.0)), factor.mul(angle.high));
    sum.plus_small(base.mul_add(R::splat(HALF_PI.1), factor.mul(angle.low))).round()
}

/// Where `x` is large: whether it is, and the arc sine of √((1 − |x|)/2) there, and that of |x| elsewhere.
#[inline(always)]
fn half_arc<R: Parts>(x: R) -> (R::Mask, Double<R>) {
    let (a, half) = (x.abs(), R::splat(0.5));
    let large = half.less(a);
    let z = R::select(large, half.mul(R::splat(1.0).sub(a)), a.mul(a));
    let root = Double::from(z).sqrt();
    let sine = Double { high: R::select(large, root.high, a), low: R::select(large, root.low, R::ZERO) };
    (large, sine.plus_small(sine.high.mul(z).mul(polynomial(z, ASIN))))
}

/// The arc sine.
#[inline(always)]
pub(in super::super) fn asin<R: Parts>(x: R) -> R {
    // π/2 − 2 arcsin √((1 − x)/2), or the polynomial by itself.
    let (large, arc) = half_arc(x);
    let one = R::splat(1.0);
    let base = R::select(large, one, R::ZERO);
    turned(base, R::select(large, R::splat(-2.0), one), arc).with_sign_of(x)
}

/// The arc cosine.
#[inline(always)]
pub(in super::super) fn acos<R: Parts>(x: R) -> R {
    // π/2 − arcsin x; for large ones 2 arcsin √((1 − x)/2), or π less that of −x.
    let (large, arc) = half_arc(x);
    let (zero, one, two) = (R::ZERO, R::splat(1.0), R::splat(2.0));
    let negative = x.less(zero);
    let base = R::select(large, R::select(negative, two, zero), one);
    let factor = R::select(large, two, one).with_sign_of(x);
    turned(base, R::select(large, factor, factor.neg()), arc)
}

/// The arc tangent.
#[inline(always)]
pub(in super::super) fn atan<R: Parts>(x: R) -> R {
    let a = x.abs().between(R::ZERO, R::splat(1e300));
    let (base, arc) = arc_of_quotient(a, R::splat(1.0));
    turned(base, R::splat(1.0), arc).with_sign_of(x)
}

/// The angle whose tangent is `a / b`, neither of which is negative: a multiple of π/2, and the rest.
#[inline(always)]
fn arc_of_quotient<R: Parts>(a: R, b: R) -> (R, Double<R>) {
    // Below π/8, above 3π/8, or from the diagonal: tan(φ − π/4) = (a − b) / (a + b).
    let low = a.less(b.mul(R::splat(TAN_OF_EIGHTH)));
    let high = b.less(a.mul(R::splat(TAN_OF_EIGHTH)));
    let (difference, sum) = (Double::sum(a, b.neg()), Double::sum(a, b));
    let (zero, half) = (R::ZERO, R::splat(0.5));
    let over = Double {
        high: R::select(low, a, R::select(high, b.neg(), difference.high)),
        low: R::select(low, zero, R::select(high, zero, difference.low)),
    };
    let under = Double {
        high: R::select(low, b, R::select(high, a, sum.high)),
        low: R::select(low, zero, R::select(high, zero, sum.low)),
    };
    let t = over.over(under);
    let z = t.high.mul(t.high);
    let base = R::select(low, zero, R::select(high, R::splat(1.0), half));
    (base, t.plus_small(t.high.mul(z).mul(polynomial(z, ATAN))))
}

/// The angle of the point `(x, y)`.
#[inline(always)]
pub(in super::super) fn atan2<R: Parts>(y: R, x: R) -> R {
    let (zero, one, infinity) = (R::ZERO, R::splat(1.0), R::splat(f64::INFINITY));
    let (a, b) = (y.abs(), x.abs());
    let larger = R::select(a.less(b), b, a);
    // Of infinite ones only that they are, and of zeros only their signs count.
    let infinite = larger.equal(infinity);
    let (a, b) = (
        R::select(infinite, R::select(a.equal(infinity), one, zero), a),
        R::select(infinite, R::select(b.equal(infinity), one, zero), b),
    );
    let b = R::select(larger.equal(zero), one, b);
    // Out of the way of overflow and underflow.
    let factor = R::select(larger.less(R::splat(1e150)), R::splat(1.0 / SMALLER), R::splat(SMALLER));
    let (base, arc) = arc_of_quotient(a.mul(factor), b.mul(factor));
    // On the left side, π less that.
    let left = one.with_sign_of(x).less(zero);
    let base = R::select(left, R::splat(2.0).sub(base), base);
    let angle = turned(base, one.with_sign_of(x), arc).with_sign_of(y);
    R::select(x.equal(x), R::select(y.equal(y), angle, y), x)
}

/// 2⁻²⁰⁰.
const SMALLER: f64 = 6.223015277861142e-61;

/// tan π/8.
const TAN_OF_EIGHTH: f64 = 0.4142135623730951;

/// (arcsin y − y) / y³, by y².
const ASIN: [f64; 13] = [
    0.028757851367421566,
    -0.014851887071247204,
    0.01740087944269402,
    0.005457506718640358,
    0.01032281435018578,
    0.011479177415184906,
    0.013971212973552933,
    0.017352392720869973,
    0.02237217294214989,
    0.030381944138531247,
    0.04464285714635543,
    0.07499999999998433,
    0.16666666666666669,
];

/// (arctan t − t) / t³, by t².
const ATAN: [f64; 12] = [
    0.016284375050043393,
    -0.03456931506332609,
    0.045515447340221615,
    -0.05230443640686948,
    0.05878927554473807,
    -0.0666642476020052,
    0.07692296368042296,
    -0.09090908753259112,
    0.11111111105150588,
    -0.14285714285659779,
    0.19999999999999804,
    -0.3333333333333333,
];
