//! Sums of two floats, which have twice their digits: what fixed-point functions are computed in.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// The number `hi + lo`, where `hi` is the float nearest to it: about 106 digits in base 2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Double {
    pub(super) hi: f64,
    lo: f64,
}

impl Double {
    pub(super) const ZERO: Double = Double::new(0.0, 0.0);
    pub(super) const ONE: Double = Double::new(1.0, 0.0);

    /// Of two floats, where `lo` is at most half a unit in the last place of `hi`.
    pub(super) const fn new(hi: f64, lo: f64) -> Double {
        Double { hi, lo }
    }

    /// The integer over 2^`frac`, exactly.
    pub(super) fn from_bits(bits: i64, frac: u32) -> Double {
        let hi = bits as f64;
        let lo = (i128::from(bits) - hi as i128) as f64;
        Double { hi, lo }.scaled(-(frac as i32))
    }

    /// The nearest integer to the number times 2^`frac`. Saturates.
    pub(super) fn to_bits(self, frac: u32) -> i128 {
        let Double { hi, lo } = self.scaled(frac as i32);
        let whole = hi.round();
        whole as i128 + ((hi - whole) + lo).round() as i128
    }

    /// The sum of two floats, without rounding.
    fn sum(a: f64, b: f64) -> Double {
        let hi = a + b;
        let of_b = hi - a;
        Double { hi, lo: (a - (hi - of_b)) + (b - of_b) }
    }

    /// The product of two floats, without rounding, by halves of 26 digits whose products are exact (Dekker 1971). A fused
    /// multiplication would do the same, but is slow where the processor is not known to have one.
    pub(super) fn product(a: f64, b: f64) -> Double {
        let halves = |x: f64| {
            let shifted = 134217729.0 * x;
            let high = shifted - (shifted - x);
            (high, x - high)
        };
        let ((a0, a1), (b0, b1), hi) = (halves(a), halves(b), a * b);
        Double { hi, lo: ((a0 * b0 - hi) + a0 * b1 + a1 * b0) + a1 * b1 }
    }

    /// Divided by a float.
    pub(super) fn over(self, divisor: f64) -> Double {
        let first = self.hi / divisor;
        let product = Double::product(first, divisor);
        Double::sum(first, ((self.hi - product.hi) - product.lo + self.lo) / divisor)
    }

    /// Times 2^`n`, exactly.
    pub(super) fn scaled(self, n: i32) -> Double {
        let factor = 2.0_f64.powi(n);
        Double { hi: self.hi * factor, lo: self.lo * factor }
    }

    pub(super) fn sqrt(self) -> Double {
        if self.hi <= 0.0 {
            return Double::ZERO;
        }
        // One step of Newton's method doubles the digits of a float.
        let root = Double::from(self.hi.sqrt());
        root + (self - root * root) / (root + root)
    }

    pub(super) fn is_negative(self) -> bool {
        self.hi < 0.0
    }

    pub(super) fn abs(self) -> Double {
        if self.is_negative() { -self } else { self }
    }
}

impl From<f64> for Double {
    fn from(hi: f64) -> Double {
        Double { hi, lo: 0.0 }
    }
}

impl Neg for Double {
    type Output = Double;

    fn neg(self) -> Double {
        Double { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for Double {
    type Output = Double;

    fn add(self, other: Double) -> Double {
        let (high, low) = (Double::sum(self.hi, other.hi), Double::sum(self.lo, other.lo));
        let middle = Double::sum(high.hi, high.lo + low.hi);
        Double::sum(middle.hi, middle.lo + low.lo)
    }
}

impl Sub for Double {
    type Output = Double;

    fn sub(self, other: Double) -> Double {
        self + -other
    }
}

impl Mul for Double {
    type Output = Double;

    fn mul(self, other: Double) -> Double {
        let high = Double::product(self.hi, other.hi);
        Double::sum(high.hi, high.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for Double {
    type Output = Double;

    fn div(self, other: Double) -> Double {
        // Three digits of a division by hand, each as long as a float.
        let first = self.hi / other.hi;
        let rest = self - other * Double::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Double::from(second);
        Double::sum(first, second) + Double::from(rest.hi / other.hi)
    }
}
