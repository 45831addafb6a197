//! Fixed-point numbers of the crate `fixed`.

use fixed::FixedI64;
use fixed::types::extra::LeEqU64;

use super::operators::rescaled;
use super::{Fixed, OutOfRange};
use crate::Real;

/// The nearest number: the same, if there are as many bits after the point as there were.
///
/// ```
/// use fixed::types::I32F32;
/// use retrograd::{Fixed, Real};
///
/// assert_eq!(Fixed::<32>::try_from(I32F32::from_num(0.1)), Ok(Fixed::lit(0.1)));
/// assert!(Fixed::<48>::try_from(I32F32::MAX).is_err());
/// ```
impl<F: LeEqU64, const FRAC: u32> TryFrom<FixedI64<F>> for Fixed<FRAC> {
    type Error = OutOfRange;

    fn try_from(value: FixedI64<F>) -> Result<Self, OutOfRange> {
        let bits = rescaled(value.to_bits(), F::U32, FRAC);
        Fixed::fitting(bits).ok_or(OutOfRange { value: value.to_num(), frac: FRAC })
    }
}

/// The nearest number: the same, if there are as many bits after the point as there were.
///
/// ```
/// use fixed::types::{I32F32, I16F48};
/// use retrograd::{Fixed, Real};
///
/// assert_eq!(I32F32::try_from(Fixed::<32>::lit(0.1)), Ok(I32F32::from_num(0.1)));
/// assert!(I16F48::try_from(Fixed::<32>::MAX).is_err());
/// ```
impl<F: LeEqU64, const FRAC: u32> TryFrom<Fixed<FRAC>> for FixedI64<F> {
    type Error = OutOfRange;

    fn try_from(value: Fixed<FRAC>) -> Result<Self, OutOfRange> {
        let bits = rescaled(value.to_bits(), FRAC, F::U32);
        i64::try_from(bits).map(FixedI64::from_bits).map_err(|_| OutOfRange { value: value.to_f64(), frac: F::U32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fixed::types::{I0F64, I32F32, I48F16, I64F0};

    #[test]
    fn numbers_of_the_other_crate_are_the_same_numbers() {
        for bits in [0, 1, -1, 12345678901, i64::MIN, i64::MAX] {
            let (ours, theirs) = (Fixed::<32>::from_bits(bits), I32F32::from_bits(bits));
            assert_eq!((Fixed::try_from(theirs), I32F32::try_from(ours)), (Ok(ours), Ok(theirs)));
        }
        let x = Fixed::<32>::lit(-2.75);
        assert_eq!(I48F16::try_from(x), Ok(I48F16::from_num(-2.75)));
        assert_eq!(I64F0::try_from(Fixed::<32>::lit(7.5)), Ok(I64F0::from_num(8)));
        assert_eq!(I0F64::try_from(x), Err(OutOfRange { value: -2.75, frac: 64 }));
        assert_eq!(Fixed::<62>::try_from(I0F64::from_num(0.25)), Ok(Fixed::lit(0.25)));
    }
}
