//! Numbers of 106 bits: references for what ordinary floats round.

use std::ops::{Add, Div, Mul, Sub};

/// The sum of two floats, of which the second is at most half a unit in the last place of the first.
///
/// Sums, products, quotients and roots are right to about 104 bits, that is to a relative error of 10⁻³¹.
///
/// ```
/// use lab_corpus::yardsticks::double_double::DoubleDouble;
///
/// let third = DoubleDouble::from(1.0) / DoubleDouble::from(3.0);
/// assert!((third * DoubleDouble::from(3.0)).minus(1.0).abs() < 1e-31);
/// let two = DoubleDouble::from(2.0).sqrt() * DoubleDouble::from(2.0).sqrt();
/// assert!(two.minus(2.0).abs() < 1e-31);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> DoubleDouble {
        DoubleDouble { high: value, low: 0.0 }
    }
}

/// A sum of two floats without error (Knuth).
#[inline(always)]
fn sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let of_b = high - a;
    DoubleDouble { high, low: (a - (high - of_b)) + (b - of_b) }
}

/// The same, where `a` is the larger one (Dekker).
#[inline(always)]
fn ordered_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    DoubleDouble { high, low: b - (high - a) }
}

/// A product of two floats without error.
#[inline(always)]
fn product(a: f64, b: f64) -> DoubleDouble {
    let high = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    DoubleDouble { high, low: ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low }
}

/// A float as the sum of two of 26 bits (Veltkamp).
#[inline(always)]
fn halves(a: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

impl DoubleDouble {
    /// The difference from a float, rounded to a float.
    pub fn minus(self, value: f64) -> f64 {
        (self - DoubleDouble::from(value)).high
    }

    /// The nearest float.
    pub fn to_f64(self) -> f64 {
        self.high
    }

    /// The square root, of a number that is not negative.
    #[inline]
    pub fn sqrt(self) -> DoubleDouble {
        if self.high == 0.0 {
            return self;
        }
        // One step of Newton's method from a root of 53 bits.
        let root = self.high.sqrt();
        let rest = self - product(root, root);
        ordered_sum(root, rest.high / (2.0 * root))
    }
}

impl Add for DoubleDouble {
    type Output = DoubleDouble;
    #[inline]
    fn add(self, other: DoubleDouble) -> DoubleDouble {
        let (high, low) = (sum(self.high, other.high), sum(self.low, other.low));
        let first = ordered_sum(high.high, high.low + low.high);
        ordered_sum(first.high, first.low + low.low)
    }
}

impl Sub for DoubleDouble {
    type Output = DoubleDouble;
    #[inline]
    fn sub(self, other: DoubleDouble) -> DoubleDouble {
        self + DoubleDouble { high: -other.high, low: -other.low }
    }
}

impl Mul for DoubleDouble {
    type Output = DoubleDouble;
    #[inline]
    fn mul(self, other: DoubleDouble) -> DoubleDouble {
        let of_highs = product(self.high, other.high);
        ordered_sum(of_highs.high, of_highs.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for DoubleDouble {
    type Output = DoubleDouble;
    #[inline]
    fn div(self, other: DoubleDouble) -> DoubleDouble {
        let first = self.high / other.high;
        let rest = self - other * DoubleDouble::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * DoubleDouble::from(second);
        let both = ordered_sum(first, second);
        both + DoubleDouble::from(rest.high / other.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers whose 106 bits are all used.
    fn number() -> impl Strategy<Value = DoubleDouble> {
        (-1e3..1e3_f64, -0.4..0.4_f64).prop_map(|(high, low)| {
            let high = if high.abs() < 1e-3 { 1.0 } else { high };
            sum(high, low * high * f64::EPSILON)
        })
    }

    /// That two numbers are the same to about 100 bits of `scale`.
    fn same(a: DoubleDouble, b: DoubleDouble, scale: f64) -> Result<(), TestCaseError> {
        let difference = (a - b).high.abs();
        prop_assert!(difference <= 1e-30 * scale.abs(), "{a:?} and {b:?} differ by {difference}");
        Ok(())
    }

    proptest! {
        #[test]
        fn what_is_added_can_be_subtracted_and_what_is_multiplied_divided(a in number(), b in number()) {
            same(a + b - b, a, a.high.abs() + b.high.abs())?;
            same(a * b / b, a, a.high)?;
            same(a / b * b, a, a.high)?;
        }

        #[test]
        fn products_distribute_over_sums(a in number(), b in number(), c in number()) {
            same((a + b) * c, a * c + b * c, (a.high.abs() + b.high.abs()) * c.high)?;
        }

        #[test]
        fn the_square_of_a_root_is_the_number(a in number()) {
            let square = a * a;
            same(square.sqrt() * square.sqrt(), square, square.high)?;
        }

        #[test]
        fn sums_and_products_of_floats_are_those_of_integers(a in -1_i64 << 52..1 << 52, b in -1_i64 << 52..1 << 52) {
            let whole = |x: DoubleDouble| x.high as i128 + x.low as i128;
            prop_assert_eq!(whole(product(a as f64, b as f64)), i128::from(a) * i128::from(b));
            prop_assert_eq!(whole(sum(a as f64, b as f64)), i128::from(a) + i128::from(b));
        }
    }
}
