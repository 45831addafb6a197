//! From the derivative of a function to the coefficients of its series.
//!
//! Where y = f(x) and y′ = d x′, order `k` of `k yₖ = Σ j xⱼ dₖ₋ⱼ` gives `yₖ` from coefficients of `d` below `k`. If `d` is
//! known as a series, one sum does it: [`integrate`]. If `d` is made of `y`, both grow together: the other functions.
//!
//! Slopes are the coefficients of x′: `slopes[j - 1]` is `j xⱼ`.

use super::Taylor;
use crate::Real;

impl<T: Real, const K: usize> Taylor<T, K> {
    /// The coefficients of the derivative of the series.
    #[inline(always)]
    pub(super) fn slopes(&self) -> [T; K] {
        let mut slopes = self.rest;
        for i in 1..K {
            slopes[i] *= T::from_int(i + 1);
        }
        slopes
    }

    /// The series with this value and these slopes.
    #[inline(always)]
    fn with_slopes(value: T, mut slopes: [T; K]) -> Self {
        for i in 1..K {
            slopes[i] /= T::from_int(i + 1);
        }
        Taylor { value, rest: slopes }
    }

    /// The same value and other coefficients: for functions that know their value better than their series does.
    #[inline(always)]
    pub(super) fn with_value(self, value: T) -> Self {
        Taylor { value, rest: self.rest }
    }
}

/// The sum of `slopes[j] dᵢ₋ⱼ`: order `i` of d x′, from orders of d up to `i`.
#[inline(always)]
fn convolve<T: Real, const K: usize>(slopes: &[T; K], d0: T, d: &[T; K], i: usize) -> T {
    let mut sum = slopes[i] * d0;
    for j in 0..i {
        sum += slopes[j] * d[i - 1 - j];
    }
    sum
}

/// y with y′ = d x′, where `d` is a series.
#[inline(always)]
pub(super) fn integrate<T: Real, const K: usize>(value: T, d: Taylor<T, K>, x: Taylor<T, K>) -> Taylor<T, K> {
    let from = x.slopes();
    let mut slopes = from;
    for i in 0..K {
        slopes[i] = convolve(&from, d.value, &d.rest, i);
    }
    Taylor::with_slopes(value, slopes)
}

/// y with y′ = (y + c) x′, where `factor` is y + c at the start: exponentials.
#[inline(always)]
pub(super) fn exponential<T: Real, const K: usize>(value: T, factor: T, slopes: [T; K]) -> Taylor<T, K> {
    let mut rest = [T::zero(); K];
    for i in 0..K {
        rest[i] = convolve(&slopes, factor, &rest, i) / T::from_int(i + 1);
    }
    Taylor { value, rest }
}

/// s and c with s′ = c x′ and c′ = sign s x′: sine and cosine for -1, the hyperbolic ones for 1.
#[inline(always)]
pub(super) fn circular<T: Real, const K: usize>(
    start: (T, T),
    sign: T,
    slopes: [T; K],
) -> (Taylor<T, K>, Taylor<T, K>) {
    let (mut s, mut c) = ([T::zero(); K], [T::zero(); K]);
    for i in 0..K {
        let order = T::from_int(i + 1);
        s[i] = convolve(&slopes, start.1, &c, i) / order;
        c[i] = sign * convolve(&slopes, start.0, &s, i) / order;
    }
    (Taylor { value: start.0, rest: s }, Taylor { value: start.1, rest: c })
}

/// y with y′ = d x′ and d = 1 + sign y²: the tangent for 1, the hyperbolic one for -1.
#[inline(always)]
pub(super) fn tangent<T: Real, const K: usize>(value: T, d0: T, sign: T, slopes: [T; K]) -> Taylor<T, K> {
    let mut y = Taylor::constant(value);
    let mut d = [T::zero(); K];
    for i in 0..K {
        y.rest[i] = convolve(&slopes, d0, &d, i) / T::from_int(i + 1);
        d[i] = sign * square_at(&y, i);
    }
    y
}

/// Order `i + 1` of y².
#[inline(always)]
fn square_at<T: Real, const K: usize>(y: &Taylor<T, K>, i: usize) -> T {
    let mut sum = y.value * y.rest[i] + y.rest[i] * y.value;
    for j in 0..i {
        sum += y.rest[j] * y.rest[i - 1 - j];
    }
    sum
}

/// y with y² = x, where `d0` is 1 / (2 y₀).
#[inline(always)]
pub(super) fn square_root<T: Real, const K: usize>(value: T, d0: T, x: Taylor<T, K>) -> Taylor<T, K> {
    let mut rest = x.rest;
    for i in 0..K {
        let mut sum = rest[i];
        for j in 0..i {
            sum -= rest[j] * rest[i - 1 - j];
        }
        rest[i] = sum * d0;
    }
    Taylor { value, rest }
}

/// y with y³ = x, where `d0` is 1 / (3 y₀²): with s = y², x′ = 3 s y′ is solved for the last slope of y.
#[inline(always)]
pub(super) fn cube_root<T: Real, const K: usize>(value: T, d0: T, x: Taylor<T, K>) -> Taylor<T, K> {
    let mut slopes = x.slopes();
    let (mut y, mut s) = (Taylor::constant(value), [T::zero(); K]);
    for i in 0..K {
        let mut sum = T::zero();
        for j in 0..i {
            sum += slopes[j] * s[i - 1 - j];
        }
        if i > 0 {
            slopes[i] -= T::lit(3.0) * sum;
        }
        slopes[i] *= d0;
        y.rest[i] = slopes[i] / T::from_int(i + 1);
        s[i] = square_at(&y, i);
    }
    y
}

/// h with h² = x² + y²: h h′ = x x′ + y y′ is solved for the last slope of h, divided by h₀ before anything overflows.
#[inline(always)]
pub(super) fn hypotenuse<T: Real, const K: usize>(
    value: T,
    partials: (T, T),
    x: Taylor<T, K>,
    y: Taylor<T, K>,
) -> Taylor<T, K> {
    // At the origin there is no slope, and the rule says zero.
    if value == T::zero() {
        return Taylor::constant(value);
    }
    let (of_x, of_y) = (x.slopes(), y.slopes());
    let (mut x, mut y) = (x.rest, y.rest);
    for i in 0..K {
        x[i] /= value;
        y[i] /= value;
    }
    let mut slopes = of_x;
    let mut h = [T::zero(); K];
    for i in 0..K {
        let mut sum = convolve(&of_x, partials.0, &x, i) + convolve(&of_y, partials.1, &y, i);
        for j in 0..i {
            sum -= slopes[j] * h[i - 1 - j];
        }
        slopes[i] = sum;
        h[i] = sum / (T::from_int(i + 1) * value);
    }
    Taylor::with_slopes(value, slopes)
}

/// x^p for a constant `p` and any x: the sum of binom(p, j) x₀^(p - j) (x - x₀)^j. Of order K³, but the only one that does not
/// divide by x₀ and takes no logarithm.
#[inline(always)]
pub(super) fn power<T: Real, const K: usize>(value: T, p: T, x: Taylor<T, K>) -> Taylor<T, K> {
    let mut y = Taylor::constant(value);
    let step = x.with_value(T::zero());
    let (mut binomial, mut exponent, mut steps) = (T::one(), p, Taylor::<T, K>::one());
    for j in 1..=K {
        binomial *= exponent / T::from_int(j);
        // Behind the last term of a polynomial there is nothing, not zero times an infinity.
        if binomial == T::zero() {
            break;
        }
        exponent -= T::one();
        let term = binomial * x.value.powf(exponent);
        steps *= step;
        // Powers of t below j do not occur in t^j.
        for i in j - 1..K {
            y.rest[i] += term * steps.rest[i];
        }
    }
    y
}
