//! What determinants are made of: the logarithms of factors, and how the slopes of bijections change.

use super::family;
use crate::Real;

/// A number that something is multiplied by.
pub trait Factor: Sized {
    /// log |self|, and whether that is finite.
    fn log_abs(self) -> (Self, bool);
    /// log |re + i·im|, and whether that is finite.
    fn log_hypot(re: Self, im: Self) -> (Self, bool);
    /// The lanes in which it is negative, as bits. Those that the number does not have are as the first one, so that what is negative
    /// everywhere has all bits.
    fn negative(self) -> u64;
}

impl<T: Real> Factor for T {
    #[inline(always)]
    fn log_abs(self) -> (T, bool) {
        let log = self.abs().ln();
        (log, log.is_finite())
    }
    #[inline(always)]
    fn log_hypot(re: T, im: T) -> (T, bool) {
        re.hypot(im).log_abs()
    }
    #[inline(always)]
    fn negative(self) -> u64 {
        let (mut bits, mut lanes) = (0_u64, 0_u32);
        T::of_lanes(|i| {
            let lane = self.lane(i);
            bits |= u64::from(lane < T::Uniform::zero()) << i;
            lanes += 1;
            lane
        });
        let others = u64::MAX.checked_shl(lanes).unwrap_or(0);
        if bits & 1 == 1 { bits | others } else { bits }
    }
}

family! {
    /// m″/m′ of each bijection m, which is the derivative of log |m′|, at its argument.
    Bends:
    /// `x.exp()`
    bend_exp(_x) = T::one();
    /// `x.ln()`
    bend_ln(x) = -x.recip();
    /// `x.sinh()`
    bend_sinh(x) = x.tanh();
    /// `x.asinh()`
    bend_asinh(x) = -(x / (T::one() + x * x));
    /// `x.tanh()`
    bend_tanh(x) = T::lit(-2.0) * x.tanh();
    /// `x.atanh()`
    bend_atanh(x) = (x + x) / super::one_minus_square(x);
    /// `x.cbrt()`
    bend_cbrt(x) = T::lit(-2.0) / (T::lit(3.0) * x);
    /// `x.cube()`
    bend_cube(x) = T::lit(2.0) / x;
    /// `x.recip()`
    bend_recip(x) = T::lit(-2.0) / x;
}

family! {
    /// The same of bijections that complex numbers do not have.
    BendsNearZero:
    /// `x.exp_m1()`
    bend_exp_m1(_x) = T::one();
    /// `x.ln_1p()`
    bend_ln_1p(x) = -(T::one() + x).recip();
}
