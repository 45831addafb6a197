//! Trigonometric functions and angles.

use super::{family, one_minus_square};
use crate::Real;

family! {
    /// The rules of trigonometric functions.
    Trigonometric:
    /// `x.sin()`.
    d_sin(x) = x.cos();
    /// `x.cos()`.
    d_cos(x) = -x.sin();
    /// `x.tan()`, with the result `y`.
    d_tan(y) = T::one() + y * y;
    /// `x.asin()`.
    d_asin(x) = one_minus_square(x).sqrt().recip();
    /// `x.acos()`.
    d_acos(x) = -one_minus_square(x).sqrt().recip();
    /// `x.atan()`.
    d_atan(x) = (T::one() + x * x).recip();
}

family! {
    /// The rules of angles.
    Angles:
    /// `y.atan2(x)` with respect to `y`.
    d_atan2_0(y, x) = inverted(y, x).1;
    /// `y.atan2(x)` with respect to `x`.
    d_atan2_1(y, x) = -inverted(y, x).0;
    /// `x.to_degrees()`.
    d_to_degrees(x) = {
        let _ = x;
        T::lit(180.0 / std::f64::consts::PI)
    };
    /// `x.to_radians()`.
    d_to_radians(x) = {
        let _ = x;
        T::lit(std::f64::consts::PI / 180.0)
    };
}

/// `(a / (a² + b²), b / (a² + b²))`, without squares that overflow or underflow; zeros at the origin.
#[inline(always)]
fn inverted<T: Real>(a: T, b: T) -> (T, T) {
    // The larger one divides the smaller one; at the origin, where there is no larger one, by one.
    let (small, large) = (a.abs().select_less(b.abs(), a, b), a.abs().select_less(b.abs(), b, a));
    let divisor = large.select_equal(T::zero(), T::one(), large);
    let ratio = small / divisor;
    let inverse = large.select_equal(T::zero(), T::zero(), (divisor * (T::one() + ratio * ratio)).recip());
    let other = ratio * inverse;
    (a.abs().select_less(b.abs(), other, inverse), a.abs().select_less(b.abs(), inverse, other))
}
