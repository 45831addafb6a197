//! Products of fixed-point numbers whose lost bits are kept.

use super::Fixed;
use crate::ops::Site;
use crate::{ErrorKind, InformationBuffer};

/// A factor above zero and at most one: `numerator` over 2 to the power `digits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Factor {
    numerator: u64,
    digits: u32,
}

impl Factor {
    /// The number itself, with an odd numerator.
    #[inline]
    pub(super) fn of<const FRAC: u32>(factor: Fixed<FRAC>) -> Factor {
        let even = factor.to_bits().trailing_zeros();
        Factor { numerator: factor.to_bits() as u64 >> even, digits: FRAC - even }
    }

    /// How many bits a product loses.
    fn lost(self) -> f64 {
        f64::from(self.digits) - (self.numerator as f64).log2()
    }
}

impl<const FRAC: u32> Fixed<FRAC> {
    /// The multiple of the factor that the next digit of the buffer chooses; the remainder goes into the buffer.
    #[inline]
    pub(super) fn damp_by(&mut self, factor: Factor, lost: &mut InformationBuffer) {
        let Factor { numerator, digits } = factor;
        let product = i128::from(self.bits) * i128::from(numerator) + i128::from(lost.pop_digit(numerator));
        // It fits: the factor is at most one, and the digit is below the numerator.
        self.bits = (product >> digits) as i64;
        lost.push_bits((product & ((1 << digits) - 1)) as u64, digits);
    }

    /// The same backwards. Raises for `site` what no product by this factor can have left.
    #[inline]
    pub(super) fn undamp_by(&mut self, factor: Factor, lost: &mut InformationBuffer, site: &Site) {
        let Factor { numerator, digits } = factor;
        if !lost.holds(factor.lost()) {
            let (wanted, found) = (format!("at least {:.3} bits", factor.lost()), format!("{:.3} bits", lost.bits()));
            site.fail(ErrorKind::ForeignProduct, "lost", wanted, found);
        }
        let remainder = lost.pop_bits(digits);
        let product = (i128::from(self.bits) << digits) + i128::from(remainder);
        let quotient = product.div_euclid(numerator.into());
        let Ok(bits) = i64::try_from(quotient) else {
            lost.push_bits(remainder, digits);
            let expected = format!("a product that was made from a Fixed<{FRAC}>");
            site.fail(ErrorKind::ForeignProduct, "v", expected, self.to_string());
        };
        self.bits = bits;
        lost.push_digit(product.rem_euclid(numerator.into()) as u64, numerator);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Real;

    #[test]
    fn a_factor_is_a_reduced_fraction() {
        let factor = |numerator, digits| Factor { numerator, digits };
        assert_eq!(Factor::of(Fixed::<32>::lit(1.0)), factor(1, 0));
        assert_eq!(Factor::of(Fixed::<62>::lit(0.75)), factor(3, 2));
        assert_eq!(Factor::of(Fixed::<32>::EPSILON), factor(1, 32));
        assert_eq!(Factor::of(Fixed::<62>::EPSILON), factor(1, 62));
        assert_eq!(Factor::of(Fixed::<62>::from_bits((1 << 62) - 1)), factor((1 << 62) - 1, 62));
    }
}
