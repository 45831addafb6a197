//! Functions of angles.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

use super::super::registers::Parts;
use super::double::Double;
use super::{SHIFTER, polynomial};

/// π/2, as the sum of three numbers.
pub(super) const HALF_PI: (f64, f64, f64) = (FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591833e-33);

/// Up to here the reduction of angles is good to all digits.
const LARGE_ANGLE: f64 = 1048576.0;

/// The quarter that an angle is in, in the lowest bits, and what is left of the angle.
#[inline(always)]
fn reduce<R: Parts>(x: R) -> (R, Double<R>) {
    let quarter = x.mul_add(R::splat(FRAC_2_PI), R::splat(SHIFTER));
    let q = quarter.sub(R::splat(SHIFTER));
    let first = q.mul_add(R::splat(-HALF_PI.0), x);
    let second = Double::product(q, R::splat(-HALF_PI.1));
    let rest = q.mul_add(R::splat(-HALF_PI.2), second.low);
    (quarter, Double::sum(first, second.high).plus_small(rest))
}

/// Sine and cosine, up to π/4.
#[inline(always)]
fn within_a_quarter<R: Parts>(y: Double<R>) -> (Double<R>, Double<R>) {
    let z = y.high.mul(y.high);
    let square = z.mul(R::splat(0.5));
    let cosine = Double::ordered_sum(R::splat(1.0), square.neg());
    // sin(y + low) = sin y + low·cos y, where cos y = 1 − y²/2 is good enough, and so on.
    let sine = y.low.mul_add(cosine.high, polynomial(z, SINE).mul(z.mul(y.high)));
    let rest = polynomial(z, COSINE).mul_add(z.mul(z), y.high.mul(y.low).neg());
    (Double { high: y.high, low: sine }, cosine.plus_small(rest))
}

/// Sine and cosine.
#[inline(always)]
pub(in super::super) fn sin_cos<R: Parts>(x: R) -> (R, R) {
    if R::bits(R::splat(LARGE_ANGLE).less(x.abs())) != 0 {
        return sin_cos_of_large_angles(x);
    }
    let (quarter, y) = reduce(x);
    let (sine, cosine) = within_a_quarter(y);
    let (sine, cosine) = (sine.round().with_sign_of(y.high), cosine.round());
    // In every second quarter they change places, and each of them has its half of negative quarters.
    let odd = quarter.is_odd();
    let (s, c) = (R::select(odd, cosine, sine), R::select(odd, sine, cosine));
    (s.negated_by(quarter), c.negated_by(quarter.add(R::splat(1.0))))
}

/// The tangent.
#[inline(always)]
pub(in super::super) fn tan<R: Parts>(x: R) -> R {
    if R::bits(R::splat(LARGE_ANGLE).less(x.abs())) != 0 {
        return tan_of_large_angles(x);
    }
    let (quarter, y) = reduce(x);
    let (sine, cosine) = within_a_quarter(y);
    // The quotient hangs on both, so they get what the square of y has lost.
    let lost = Double::product(y.high, y.high).low;
    let sine = Double::ordered_sum(sine.high, lost.mul(y.high).mul_add(R::splat(-1.0 / 6.0), sine.low));
    let cosine = Double::ordered_sum(cosine.high, lost.mul_add(R::splat(-0.5), cosine.low));
    let odd = quarter.is_odd();
    let over = Double { high: R::select(odd, cosine.high, sine.high), low: R::select(odd, cosine.low, sine.low) };
    let under = Double { high: R::select(odd, sine.high, cosine.high), low: R::select(odd, sine.low, cosine.low) };
    let quotient = over.over(under).round().with_sign_of(y.high);
    R::select(odd, quotient.neg(), quotient)
}

/// One lane after the other.
#[cold]
#[inline(always)]
fn sin_cos_of_large_angles<R: Parts>(x: R) -> (R, R) {
    let (mut sines, mut cosines) = ([0.0; 8], [0.0; 8]);
    x.store(&mut sines[..]);
    for (s, c) in sines.iter_mut().zip(&mut cosines).take(R::WIDTH) {
        (*s, *c) = s.sin_cos();
    }
    (R::load(&sines), R::load(&cosines))
}

/// One lane after the other.
#[cold]
#[inline(always)]
fn tan_of_large_angles<R: Parts>(x: R) -> R {
    let mut tangents = [0.0; 8];
    x.store(&mut tangents[..]);
    for tangent in tangents.iter_mut().take(R::WIDTH) {
        *tangent = tangent.tan();
    }
    R::load(&tangents)
}

/// (sin y − y) / y³, by y².
const SINE: [f64; 7] = [
    -7.586685070091267e-13,
    1.605853141458901e-10,
    -2.5052106231157904e-08,
    2.7557319219335453e-06,
    -0.0001984126984126506,
    0.008333333333333331,
    -0.16666666666666666,
];

/// (cos y − 1 + y²/2) / y⁴, by y².
const COSINE: [f64; 6] = [
    -1.1382614868556325e-11,
    2.0876146024689747e-09,
    -2.7557317270560326e-07,
    2.4801587298763433e-05,
    -0.0013888888888887395,
    0.041666666666666664,
];
