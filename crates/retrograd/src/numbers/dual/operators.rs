//! Arithmetic of dual numbers: with each other, with plain values, and with `f64` on the left.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Dual;
use crate::Real;
use crate::numbers::operators::{assign_operators, operators_behind_f64, sums_and_products};

impl<T: Real, const N: usize> Add for Dual<T, N> {
    type Output = Self;

    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self.re += other.re;
        for i in 0..N {
            self.eps[i] += other.eps[i];
        }
        self
    }
}

impl<T: Real, const N: usize> Sub for Dual<T, N> {
    type Output = Self;

    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        self.re -= other.re;
        for i in 0..N {
            self.eps[i] -= other.eps[i];
        }
        self
    }
}

impl<T: Real, const N: usize> Mul for Dual<T, N> {
    type Output = Self;

    #[inline(always)]
    fn mul(mut self, other: Self) -> Self {
        for i in 0..N {
            self.eps[i] = self.eps[i] * other.re + self.re * other.eps[i];
        }
        self.re *= other.re;
        self
    }
}

impl<T: Real, const N: usize> Div for Dual<T, N> {
    type Output = Self;

    // The quotient y = a / b has dy = (da - y db) / b.
    #[inline(always)]
    fn div(mut self, other: Self) -> Self {
        self.re /= other.re;
        let inverse = other.re.recip();
        for i in 0..N {
            self.eps[i] = (self.eps[i] - self.re * other.eps[i]) * inverse;
        }
        self
    }
}

impl<T: Real, const N: usize> crate::ops::NegUpdate for Dual<T, N> {}

impl<T: Real, const N: usize> Neg for Dual<T, N> {
    type Output = Self;

    #[inline(always)]
    fn neg(mut self) -> Self {
        self.re = -self.re;
        for i in 0..N {
            self.eps[i] = -self.eps[i];
        }
        self
    }
}

impl<T: Real, const N: usize> Add<T> for Dual<T, N> {
    type Output = Self;

    #[inline(always)]
    fn add(mut self, other: T) -> Self {
        self.re += other;
        self
    }
}

impl<T: Real, const N: usize> Sub<T> for Dual<T, N> {
    type Output = Self;

    #[inline(always)]
    fn sub(mut self, other: T) -> Self {
        self.re -= other;
        self
    }
}

impl<T: Real, const N: usize> Mul<T> for Dual<T, N> {
    type Output = Self;

    #[inline(always)]
    fn mul(mut self, other: T) -> Self {
        self.re *= other;
        for i in 0..N {
            self.eps[i] *= other;
        }
        self
    }
}

impl<T: Real, const N: usize> Div<T> for Dual<T, N> {
    type Output = Self;

    #[inline(always)]
    fn div(mut self, other: T) -> Self {
        self.re /= other;
        for i in 0..N {
            self.eps[i] /= other;
        }
        self
    }
}

assign_operators!([T: Real, const N: usize] Dual<T, N>, Self);
assign_operators!([T: Real, const N: usize] Dual<T, N>, T);
operators_behind_f64!([T: Real, const N: usize] Dual<T, N>, T);
sums_and_products!([T: Real, const N: usize] Dual<T, N>);

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(x: Dual<f64, 2>) -> (f64, [f64; 2]) {
        (x.re, x.eps)
    }

    #[test]
    fn a_plain_value_is_a_constant() {
        let (x, c) = (Dual::new(3.0, [1.0, -0.5]), 4.0);
        let constant = Dual::constant(c);
        assert_eq!(parts(x + c), parts(x + constant));
        assert_eq!(parts(x - c), parts(x - constant));
        assert_eq!(parts(x * c), parts(x * constant));
        assert_eq!(parts(x / c), parts(x / constant));
        assert_eq!(parts(c + x), parts(constant + x));
        assert_eq!(parts(c - x), parts(constant - x));
        assert_eq!(parts(c * x), parts(constant * x));
        assert_eq!(parts(c / x), parts(constant / x));
    }

    #[test]
    fn assignment_is_the_operator() {
        let (x, y) = (Dual::new(3.0, [1.0, -0.5]), Dual::new(-2.0, [0.25, 1.0]));
        let mut z = x;
        z += y;
        z -= x;
        z *= x;
        z /= y;
        assert_eq!(parts(z), parts((x + y - x) * x / y));
        z = x;
        z += 2.0;
        z -= 1.0;
        z *= 4.0;
        z /= 2.0;
        assert_eq!(parts(z), parts((x + 2.0 - 1.0) * 4.0 / 2.0));
    }

    #[test]
    fn literals_reach_dual_numbers_of_dual_numbers() {
        let x = Dual::<Dual<f32, 1>, 1>::new(Dual::variable(3.0, 0), [Dual::constant(1.0)]);
        let y = 2.0 * x * x - 1.0 / x;
        assert_eq!((y.re.re, y.eps[0].re), (18.0 - 1.0 / 3.0, 12.0 + 1.0 / 9.0));
        assert!((y.eps[0].eps[0] - (4.0 - 2.0 / 27.0)).abs() < 1e-6);
    }
}
