//! Elementary functions to about 95 binary digits, which is more than any fixed-point number has.
//!
//! Errors are relative for `exp` and absolute for all others: fixed-point numbers have no more digits near zero.

use super::double::Double;

const LN_2: Double = Double::new(std::f64::consts::LN_2, 2.3190468138462996e-17);
const LN_10: Double = Double::new(std::f64::consts::LN_10, -2.1707562233822494e-16);
/// π / 2, in four parts.
const HALF_PI: [f64; 4] =
    [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33, 5.562271104316826e-50];
/// π / 180.
const DEGREE: Double = Double::new(0.017453292519943295, 2.9486522708701687e-19);

/// e to the power `x`. Beyond e^±700 it stays there: that fits into no fixed-point number, or is zero in all of them.
pub(super) fn exp(x: Double) -> Double {
    if x.hi.abs() > 700.0 {
        return exp(Double::from(700_f64.copysign(x.hi)));
    }
    // e^x = 2^k (e^(r / 64))^64 with |r| < 0.35
    let k = (x.hi / LN_2.hi).round();
    let r = (x - LN_2 * Double::from(k)).scaled(-6);
    let (mut power, mut sum) = (Double::ONE, Double::ONE);
    for n in 1..=12 {
        power = (power * r).over(f64::from(n));
        sum = sum + power;
    }
    for _ in 0..6 {
        sum = sum * sum;
    }
    sum.scaled(k as i32)
}

/// The natural logarithm of a positive number.
pub(super) fn ln(x: Double) -> Double {
    // One step of Newton's method: ln x = y + ln(x e^-y), where the last factor is one to all digits of a float.
    let y = Double::from(x.hi.ln());
    y + (x * exp(-y) - Double::ONE)
}

pub(super) fn log2(x: Double) -> Double {
    ln(x) / LN_2
}

pub(super) fn log10(x: Double) -> Double {
    ln(x) / LN_10
}

pub(super) fn exp2(x: Double) -> Double {
    exp(x * LN_2)
}

pub(super) fn sin_cos(x: Double) -> (Double, Double) {
    // x = k π/2 + r with |r| < 0.8. Of a large x, `k` is not right to the last digit at once.
    let (mut r, mut quarters) = (x, 0_i64);
    for _ in 0..2 {
        let k = (r.hi / HALF_PI[0]).round();
        for part in HALF_PI {
            r = r - Double::product(k, part);
        }
        quarters = quarters.wrapping_add(k as i64);
    }
    let square = r * r;
    let (mut sin, mut cos) = (r, Double::ONE);
    let (mut odd, mut even) = (r, Double::ONE);
    for n in 1..=14 {
        let n = f64::from(2 * n);
        even = -(even * square).over((n - 1.0) * n);
        odd = -(odd * square).over(n * (n + 1.0));
        cos = cos + even;
        sin = sin + odd;
    }
    match quarters.rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The angle of the point `(x, y)`; zero at the origin.
pub(super) fn atan2(y: Double, x: Double) -> Double {
    if y.hi == 0.0 && x.hi == 0.0 {
        return Double::ZERO;
    }
    // Turned back by an angle that is right to all digits of a float, the point lies on the x-axis but for a tiny angle.
    let angle = Double::from(y.hi.atan2(x.hi));
    let (sin, cos) = sin_cos(angle);
    angle + (y * cos - x * sin) / (x * cos + y * sin)
}

pub(super) fn sinh(x: Double) -> Double {
    let power = exp(x);
    (power - Double::ONE / power).scaled(-1)
}

pub(super) fn cosh(x: Double) -> Double {
    let power = exp(x);
    (power + Double::ONE / power).scaled(-1)
}

pub(super) fn tanh(x: Double) -> Double {
    // In the negative power nothing overflows.
    let power = exp(-x.abs().scaled(1));
    let tanh = (Double::ONE - power) / (Double::ONE + power);
    if x.is_negative() { -tanh } else { tanh }
}

pub(super) fn asinh(x: Double) -> Double {
    let magnitude = ln(x.abs() + (x * x + Double::ONE).sqrt());
    if x.is_negative() { -magnitude } else { magnitude }
}

/// For `x` from 1 on.
pub(super) fn acosh(x: Double) -> Double {
    ln(x + ((x - Double::ONE) * (x + Double::ONE)).sqrt())
}

/// For `x` between -1 and 1.
pub(super) fn atanh(x: Double) -> Double {
    ln((Double::ONE + x) / (Double::ONE - x)).scaled(-1)
}

/// For `x` from -1 to 1.
pub(super) fn asin(x: Double) -> Double {
    atan2(x, beside(x))
}

/// For `x` from -1 to 1.
pub(super) fn acos(x: Double) -> Double {
    atan2(beside(x), x)
}

/// The other coordinate of a point on the unit circle.
fn beside(x: Double) -> Double {
    ((Double::ONE - x) * (Double::ONE + x)).sqrt()
}

pub(super) fn cbrt(x: Double) -> Double {
    if x.hi == 0.0 {
        return Double::ZERO;
    }
    let root = Double::from(x.hi.cbrt());
    let square = root * root;
    root - (square * root - x) / (square * Double::from(3.0))
}

/// `x` to a whole power.
pub(super) fn powi(x: Double, n: i32) -> Double {
    let (mut power, mut square, mut left) = (Double::ONE, x, n.unsigned_abs());
    while left > 0 {
        if left & 1 == 1 {
            power = power * square;
        }
        square = square * square;
        left >>= 1;
    }
    if n < 0 { Double::ONE / power } else { power }
}

/// The positive `x` to the power `y`.
pub(super) fn powf(x: Double, y: Double) -> Double {
    exp(y * ln(x))
}

pub(super) fn to_degrees(x: Double) -> Double {
    x / DEGREE
}

pub(super) fn to_radians(x: Double) -> Double {
    x * DEGREE
}
