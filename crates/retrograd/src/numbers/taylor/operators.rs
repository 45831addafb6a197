//! Arithmetic of power series: with each other, with plain values, and with `f64` on the left.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Taylor;
use crate::Real;
use crate::numbers::operators::{assign_operators, operators_behind_f64, sums_and_products};

impl<T: Real, const K: usize> Add for Taylor<T, K> {
    type Output = Self;

    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self.value += other.value;
        for i in 0..K {
            self.rest[i] += other.rest[i];
        }
        self
    }
}

impl<T: Real, const K: usize> Sub for Taylor<T, K> {
    type Output = Self;

    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        self.value -= other.value;
        for i in 0..K {
            self.rest[i] -= other.rest[i];
        }
        self
    }
}

impl<T: Real, const K: usize> Mul for Taylor<T, K> {
    type Output = Self;

    // Order k of a product is the sum of aⱼ bₖ₋ⱼ; here `i` is k - 1.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let mut rest = self.rest;
        for i in 0..K {
            let mut sum = self.rest[i] * other.value + self.value * other.rest[i];
            for j in 0..i {
                sum += self.rest[j] * other.rest[i - 1 - j];
            }
            rest[i] = sum;
        }
        Taylor { value: self.value * other.value, rest }
    }
}

impl<T: Real, const K: usize> Div for Taylor<T, K> {
    type Output = Self;

    // y = a / b is a = y b, solved for the last coefficient of y: yₖ = (aₖ - Σ yⱼ bₖ₋ⱼ) / b₀ over j < k.
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let inverse = other.value.recip();
        let mut rest = self.rest;
        for i in 0..K {
            let mut sum = rest[i] - value * other.rest[i];
            for j in 0..i {
                sum -= rest[j] * other.rest[i - 1 - j];
            }
            rest[i] = sum * inverse;
        }
        Taylor { value, rest }
    }
}

impl<T: Real, const K: usize> crate::ops::NegUpdate for Taylor<T, K> {}

impl<T: Real, const K: usize> Neg for Taylor<T, K> {
    type Output = Self;

    #[inline(always)]
    fn neg(mut self) -> Self {
        self.value = -self.value;
        for i in 0..K {
            self.rest[i] = -self.rest[i];
        }
        self
    }
}

impl<T: Real, const K: usize> Add<T> for Taylor<T, K> {
    type Output = Self;

    #[inline(always)]
    fn add(mut self, other: T) -> Self {
        self.value += other;
        self
    }
}

impl<T: Real, const K: usize> Sub<T> for Taylor<T, K> {
    type Output = Self;

    #[inline(always)]
    fn sub(mut self, other: T) -> Self {
        self.value -= other;
        self
    }
}

impl<T: Real, const K: usize> Mul<T> for Taylor<T, K> {
    type Output = Self;

    #[inline(always)]
    fn mul(mut self, other: T) -> Self {
        self.value *= other;
        for i in 0..K {
            self.rest[i] *= other;
        }
        self
    }
}

impl<T: Real, const K: usize> Div<T> for Taylor<T, K> {
    type Output = Self;

    #[inline(always)]
    fn div(mut self, other: T) -> Self {
        self.value /= other;
        for i in 0..K {
            self.rest[i] /= other;
        }
        self
    }
}

assign_operators!([T: Real, const K: usize] Taylor<T, K>, Self);
assign_operators!([T: Real, const K: usize] Taylor<T, K>, T);
operators_behind_f64!([T: Real, const K: usize] Taylor<T, K>, T);
sums_and_products!([T: Real, const K: usize] Taylor<T, K>);

#[cfg(test)]
mod tests {
    use super::*;

    fn all(x: Taylor<f64, 3>) -> Vec<f64> {
        x.coefficients().collect()
    }

    #[test]
    fn a_plain_value_is_a_constant() {
        let (x, c) = (Taylor::new(3.0, [1.0, -0.5, 2.0]), 4.0);
        let constant = Taylor::constant(c);
        assert_eq!(all(x + c), all(x + constant));
        assert_eq!(all(x - c), all(x - constant));
        assert_eq!(all(x * c), all(x * constant));
        assert_eq!(all(x / c), all(x / constant));
        assert_eq!(all(c + x), all(constant + x));
        assert_eq!(all(c - x), all(constant - x));
        assert_eq!(all(c * x), all(constant * x));
        assert_eq!(all(c / x), all(constant / x));
    }

    #[test]
    fn a_quotient_times_the_divisor_is_the_dividend() {
        let (a, b) = (Taylor::new(3.0, [1.0, -0.5, 2.0]), Taylor::new(4.0, [2.0, 1.0, -8.0]));
        let mut y = a;
        y /= b;
        y *= b;
        assert_eq!(all(y), all(a));
        assert_eq!(all(a / b), all(a * (Taylor::constant(1.0) / b)));
    }
}
