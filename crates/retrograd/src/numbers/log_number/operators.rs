//! Arithmetic of logarithmic numbers.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::LogNumber;
use crate::Real;
use crate::numbers::operators::{assign_operators, sums_and_products};

impl<T: Real> Mul for LogNumber<T> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        match self.sign * other.sign {
            0 => LogNumber::zero(),
            sign => LogNumber { sign, log2: self.log2 + other.log2 },
        }
    }
}

impl<T: Real> Div for LogNumber<T> {
    type Output = Self;

    #[inline(always)]
    #[track_caller]
    fn div(self, other: Self) -> Self {
        assert!(
            other.sign != 0,
            "{self:?} is divided by zero, and logarithmic numbers have no infinity; write `if d != T::zero() {{ .. }}` around it"
        );
        match self.sign * other.sign {
            0 => self,
            sign => LogNumber { sign, log2: self.log2 - other.log2 },
        }
    }
}

impl<T: Real> crate::ops::NegUpdate for LogNumber<T> {}
impl<T: Real> crate::Linear for LogNumber<T> {}

impl<T: Real> Neg for LogNumber<T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        LogNumber { sign: -self.sign, log2: self.log2 }
    }
}

impl<T: Real> Add for LogNumber<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        if other.sign == 0 {
            return self;
        }
        if self.sign == 0 {
            return other;
        }
        // ±2^a ± 2^b = ±2^a (1 ± 2^(b - a)) with a ≥ b
        let (large, small) = if self.log2 >= other.log2 { (self, other) } else { (other, self) };
        let apart = small.log2 - large.log2;
        if large.sign == small.sign {
            return LogNumber { sign: large.sign, log2: large.log2 + (T::one() + apart.exp2()).log2() };
        }
        // 1 - 2^d, without cancellation.
        let rest = -(apart * T::lit(std::f64::consts::LN_2)).exp_m1();
        if rest == T::zero() {
            return LogNumber::zero();
        }
        LogNumber { sign: large.sign, log2: large.log2 + rest.log2() }
    }
}

impl<T: Real> Sub for LogNumber<T> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

assign_operators!([T: Real] LogNumber<T>, LogNumber<T>);
sums_and_products!([T: Real] LogNumber<T>);
