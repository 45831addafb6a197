//! From fixed-point to logarithmic numbers, bit by bit (Turner 2010), and back the same way.
//!
//! The number is 2^e m with 1 ≤ m < 2. Squaring m doubles its logarithm: if the square is 2 or more, the next bit of the
//! logarithm is 1, and the square is halved. Backwards, each bit gives the last square, whose root is taken. What is cut off in
//! one step weighs half as much as in the step before, so that the errors of all steps together are below 2⁻⁶².

use super::LogNumber;
use crate::numbers::{Convert, Fixed, LosslessFrom};

/// The bits of log₂ m, after the point, for a mantissa `m` that stands for m 2⁻⁶³.
fn logarithm_of_mantissa(mut m: u64, bits: u32) -> u64 {
    let mut logarithm = 0;
    for _ in 0..bits {
        let square = u128::from(m) * u128::from(m);
        let carry = square >> 127 == 1;
        m = (square >> if carry { 64 } else { 63 }) as u64;
        logarithm = logarithm << 1 | u64::from(carry);
    }
    logarithm
}

/// The mantissa with this logarithm: the same steps backwards.
fn mantissa_of_logarithm(mut logarithm: u64, bits: u32) -> u64 {
    let mut m = 1 << 63;
    for _ in 0..bits {
        m = (u128::from(m) << if logarithm & 1 == 1 { 64 } else { 63 }).isqrt() as u64;
        logarithm >>= 1;
    }
    m
}

impl<const F: u32, const L: u32> Convert<LogNumber<Fixed<L>>> for Fixed<F> {
    fn convert(self) -> LogNumber<Fixed<L>> {
        const { assert!(L <= 57, "the logarithms of all Fixed numbers fit into Fixed<57>, and into no finer one") }
        let magnitude = self.to_bits().unsigned_abs();
        if magnitude == 0 {
            return LogNumber::default();
        }
        let shift = magnitude.leading_zeros();
        // One bit more than there is place for, to round by.
        let below = (logarithm_of_mantissa(magnitude << shift, L + 1) + 1) >> 1;
        let log2 = (i64::from(63 - shift) - i64::from(F)) << L;
        LogNumber { sign: self.to_bits().signum() as i8, log2: Fixed::from_bits(log2 + below as i64) }
    }
}

impl<const L: u32> LogNumber<Fixed<L>> {
    /// The nearest fixed-point number, if it fits.
    fn nearest<const F: u32>(self) -> Option<Fixed<F>> {
        if self.sign == 0 {
            return Some(Fixed::from_bits(0));
        }
        let log2 = self.log2.to_bits();
        let below = log2 & ((1 << L) - 1);
        let m = u128::from(mantissa_of_logarithm(below as u64, L));
        // The bits are m 2^(e + F - 63), rounded.
        let shift = 63 - i64::from(F) - (log2 >> L);
        let magnitude = match shift {
            ..=0 => return None,
            1..=64 => ((m << 1 >> shift) + 1) >> 1,
            65.. => 0,
        };
        i64::try_from(i128::from(self.sign) * magnitude as i128).ok().map(Fixed::from_bits)
    }
}

impl<const F: u32, const L: u32> Convert<Fixed<F>> for LogNumber<Fixed<L>> {
    #[track_caller]
    fn convert(self) -> Fixed<F> {
        match self.nearest() {
            Some(fixed) => fixed,
            None => panic!("{self} does not fit into Fixed<{F}>; choose fewer bits after the point"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<const F: u32, const L: u32> LosslessFrom<Fixed<F>> for LogNumber<Fixed<L>> {
    fn try_cast(value: Fixed<F>) -> Option<Self> {
        let logarithmic: LogNumber<Fixed<L>> = value.convert();
        (logarithmic.nearest() == Some(value)).then_some(logarithmic)
    }

    fn try_uncast(self) -> Option<Fixed<F>> {
        self.nearest().filter(|&nearest: &Fixed<F>| Convert::<Self>::convert(nearest) == self)
    }
}
