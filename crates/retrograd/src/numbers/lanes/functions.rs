//! Elementary functions of registers, from the operations that registers have.
//!
//! Each is a reduction of the argument to a short interval, a polynomial there, and the way back. Products that the result
//! hangs on are fused with the sum that follows.

use std::f64::consts::{FRAC_2_PI, LOG2_E};

use super::registers::Register;

/// 1.5 · 2⁵²: added to a number that is not too large, it leaves the nearest whole number in the lowest bits.
pub(super) const SHIFTER: f64 = 6755399441055744.0;

/// ln 2, as the sum of two numbers; the first one has so few digits that its products with exponents are exact.
const LN_2: (f64, f64) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);

/// π/2, as the sum of three numbers.
const HALF_PI: (f64, f64, f64) = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33);

/// The polynomial with these coefficients, the highest one first.
#[inline(always)]
fn polynomial<R: Register<Element = f64>, const N: usize>(x: R, coefficients: [f64; N]) -> R {
    let mut sum = R::splat(coefficients[0]);
    for i in 1..N {
        sum = sum.mul_add(x, R::splat(coefficients[i]));
    }
    sum
}

/// The nearest whole number, of numbers below 2⁵¹.
#[inline(always)]
fn nearest<R: Register<Element = f64>>(x: R) -> R {
    x.add(R::splat(SHIFTER)).sub(R::splat(SHIFTER))
}

/// e to the power `x`.
#[inline(always)]
pub(super) fn exp<R: Register<Element = f64>>(x: R) -> R {
    // Beyond these, the result is 0 or ∞ anyway. NaN is neither less nor more.
    let (low, high) = (R::splat(-746.0), R::splat(710.0));
    let x = R::select(x.less(low), low, R::select(high.less(x), high, x));
    let n = nearest(x.mul(R::splat(LOG2_E)));
    let r = n.mul_add(R::splat(-LN_2.0), x);
    let r = n.mul_add(R::splat(-LN_2.1), r);
    let p = polynomial(r, INVERSE_FACTORIALS);
    // 2ⁿ may not be a normal number, though the halves of n give some.
    let half = n.mul(R::splat(0.5)).floor();
    p.mul(half.power_of_two()).mul(n.sub(half).power_of_two())
}

/// 1/13! to 1/0!
const INVERSE_FACTORIALS: [f64; 14] = [
    1.0 / 6227020800.0,
    1.0 / 479001600.0,
    1.0 / 39916800.0,
    1.0 / 3628800.0,
    1.0 / 362880.0,
    1.0 / 40320.0,
    1.0 / 5040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

/// The natural logarithm.
#[inline(always)]
pub(super) fn ln<R: Register<Element = f64>>(x: R) -> R {
    let tiny = x.less(R::splat(f64::MIN_POSITIVE));
    let normal = R::select(tiny, x.mul(R::splat(18014398509481984.0)), x);
    let (mantissa, exponent) = normal.mantissa_and_exponent();
    let exponent = R::select(tiny, exponent.sub(R::splat(54.0)), exponent);
    // Between √½ and √2.
    let large = R::splat(std::f64::consts::SQRT_2).less(mantissa);
    let mantissa = R::select(large, mantissa.mul(R::splat(0.5)), mantissa);
    let exponent = R::select(large, exponent.add(R::splat(1.0)), exponent);
    // With s = f / (2 + f), the logarithm of 1 + f is 2 artanh s, and f − s·(f − ..) loses no digits.
    let f = mantissa.sub(R::splat(1.0));
    let s = f.div(f.add(R::splat(2.0)));
    let z = s.mul(s);
    let rest = z.mul(polynomial(z, ARTANH));
    let half_square = f.mul(f).mul(R::splat(0.5));
    let low = s.mul_add(half_square.add(rest), exponent.mul(R::splat(LN_2.1)));
    let value = exponent.mul_add(R::splat(LN_2.0), f.sub(half_square.sub(low)));
    // Zero, what is negative, infinity and NaN.
    let zero = R::splat(0.0);
    let value = R::select(x.equal(zero), R::splat(f64::NEG_INFINITY), value);
    let value = R::select(x.less(zero), R::splat(f64::NAN), value);
    R::select(x.less(R::splat(f64::INFINITY)), value, x)
}

/// (2 artanh s − 2 s) / s³ for z = s² up to 0.0295, the best approximation of that degree.
const ARTANH: [f64; 7] = [
    1.479819860511658591e-01,
    1.531383769920937332e-01,
    1.818357216161805012e-01,
    2.222219843214978396e-01,
    2.857142874366239149e-01,
    3.999999999940941908e-01,
    6.666666666666735130e-01,
];

/// Up to here the reduction of angles is good to all digits.
const LARGE_ANGLE: f64 = 1048576.0;

/// Sine and cosine.
#[inline(always)]
pub(super) fn sin_cos<R: Register<Element = f64>>(x: R) -> (R, R) {
    if R::bits(R::splat(LARGE_ANGLE).less(x.abs())) != 0 {
        return sin_cos_of_large_angles(x);
    }
    let q = nearest(x.mul(R::splat(FRAC_2_PI)));
    // x − q·π/2, as the sum of two numbers.
    let first = q.mul_add(R::splat(-HALF_PI.0), x);
    let y = q.mul_add(R::splat(-HALF_PI.1), first);
    let rest = q.mul_add(R::splat(-HALF_PI.1), first.sub(y));
    let rest = q.mul_add(R::splat(-HALF_PI.2), rest);
    let z = y.mul(y);
    let half = R::splat(0.5);
    let cube = y.mul(z);
    let sine = polynomial(z, SINE).mul(cube);
    // sin(y + rest) = sin y + rest·cos y, where cos y = 1 − z/2 is good enough.
    let sine = y.add(sine.add(rest.mul(R::splat(1.0).sub(z.mul(half)))));
    let one = R::splat(1.0);
    let square = z.mul(half);
    let cosine = one.sub(square);
    let lost = one.sub(cosine).sub(square);
    let cosine = cosine.add(lost.add(z.mul(z).mul(polynomial(z, COSINE)).sub(y.mul(rest))));
    // In every second quarter they change places, and each of them has its half of negative quarters.
    let turns = q.mul(half).floor();
    let odd = R::not(turns.mul(R::splat(2.0)).equal(q));
    let second_half = R::not(turns.mul(half).floor().mul(R::splat(2.0)).equal(turns));
    let (s, c) = (R::select(odd, cosine, sine), R::select(odd, sine, cosine));
    let s = R::select(second_half, s.neg(), s);
    let other_half = turns.add(R::select(odd, one, R::splat(0.0)));
    let negative = R::not(other_half.mul(half).floor().mul(R::splat(2.0)).equal(other_half));
    (s, R::select(negative, c.neg(), c))
}

/// One lane after the other.
#[cold]
#[inline(always)]
fn sin_cos_of_large_angles<R: Register<Element = f64>>(x: R) -> (R, R) {
    let (mut sines, mut cosines) = ([0.0; 8], [0.0; 8]);
    x.store(&mut sines[..]);
    for (s, c) in sines.iter_mut().zip(&mut cosines).take(R::WIDTH) {
        (*s, *c) = s.sin_cos();
    }
    (R::load(&sines), R::load(&cosines))
}

/// (sin y − y) / y³, up to π/4.
const SINE: [f64; 6] = [
    1.58962301576546568060e-10,
    -2.50507477628578072866e-8,
    2.75573136213857245213e-6,
    -1.98412698295895385996e-4,
    8.33333333332211858878e-3,
    -1.66666666666666307295e-1,
];

/// (cos y − 1 + y²/2) / y⁴, up to π/4.
const COSINE: [f64; 6] = [
    -1.13585365213876817300e-11,
    2.08757008419747316778e-9,
    -2.75573141792967388112e-7,
    2.48015872888517045348e-5,
    -1.38888888888730564116e-3,
    4.16666666666665929218e-2,
];
