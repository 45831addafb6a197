//! The error function and the gamma function.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

use super::family;
use crate::Real;

family! {
    /// The rules of the error function and the gamma function.
    Special:
    /// `x.erf()`.
    d_erf(x) = T::lit(FRAC_2_SQRT_PI) * (-(x * x)).exp();
    /// `x.gamma()`, with the result `y`.
    d_gamma(x, y) = y * digamma(x);
    /// `x.lgamma()`.
    d_lgamma(x) = digamma(x);
}

/// The logarithmic derivative ψ of the gamma function.
///
/// Reflection brings it to positive numbers, recurrence to numbers above 10, and from there Stirling's series is good to
/// all digits of `f64`. Around its positive zero, where the recurrence would cancel, it is a Taylor series. Running it on
/// dual numbers gives the derivatives of ψ: each part of it is differentiated separately.
///
/// ψ(0) is −∞; at the other poles, at negative whole numbers, it is NaN.
pub fn digamma<T: Real>(x: T) -> T {
    // Where lanes take different branches, one after the other.
    T::of_lanes(|i| digamma_of_one(x.lane(i)))
}

fn digamma_of_one<T: Real>(x: T) -> T {
    if x <= T::zero() {
        // The tangent has period π; of x only the distance to the nearest whole number matters, and that is exact.
        let distance = x - x.round();
        if distance == T::zero() && x < T::zero() {
            return T::lit(f64::NAN);
        }
        return digamma_of_one(T::one() - x) - T::lit(PI) / (T::lit(PI) * distance).tan();
    }
    let from_zero = (x - T::lit(ZERO)) - T::lit(ZERO_REST);
    if from_zero.abs() < T::lit(0.2) {
        return from_zero * polynomial(from_zero, &AROUND_ZERO);
    }
    let steps = (10.0 - x.to_f64()).ceil().max(0.0) as u32;
    let mut psi = stirling(x + T::from_int(steps));
    // From the smallest to the largest.
    for step in (0..steps).rev() {
        psi -= (x + T::from_int(step)).recip();
    }
    psi
}

/// Stirling's series: ln x − 1/(2x) − Σ B₂ₖ / (2k x²ᵏ).
fn stirling<T: Real>(x: T) -> T {
    let inverse = x.recip();
    let square = inverse * inverse;
    x.ln() - T::lit(0.5) * inverse - square * polynomial(square, &BERNOULLI)
}

/// The polynomial with these coefficients, the constant one first.
fn polynomial<T: Real>(x: T, coefficients: &[f64]) -> T {
    coefficients.iter().rev().fold(T::zero(), |sum, &coefficient| sum * x + T::lit(coefficient))
}

/// B₂ₖ / 2k from k = 1.
const BERNOULLI: [f64; 8] =
    [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 5.0 / 660.0, -691.0 / 32760.0, 1.0 / 12.0, -3617.0 / 8160.0];

/// The positive zero of ψ, and what it has beyond `f64`. `scripts/rules-reference digamma` prints these numbers.
const ZERO: f64 = 1.4616321449683622;
const ZERO_REST: f64 = 9.549995429965698e-17;

/// ψ⁽ᵏ⁾ / k! at that zero, from k = 1.
const AROUND_ZERO: [f64; 20] = [
    0.9676722454476212,
    -0.4427631689835921,
    0.258499760955651,
    -0.16394270544240653,
    0.10782405069126236,
    -0.07219956125645471,
    0.04880428816414311,
    -0.03316112647484736,
    0.022597648232218105,
    -0.01542476590494896,
    0.010538791616612175,
    -0.007204534386356868,
    0.004926781395729853,
    -0.003369801655439328,
    0.002305126326734928,
    -0.0015769367714301972,
    0.0010788252019162965,
    -0.0007380709389960052,
    0.000504953265834602,
    -0.0003454680251063077,
];
