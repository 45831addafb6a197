//! Logarithmic numbers: products that are undone bit for bit.

mod binary_logarithm;
mod functions;
mod operators;

use std::cmp::Ordering;
use std::fmt;

use crate::check::{Apart, Compare, Report};
use crate::numbers::floating::floating_derivatives;
use crate::numbers::{ExactAdd, ExactMul};
use crate::ops::{MulUpdate, Site};
use crate::record::recordable_fields;
use crate::{ErrorKind, Real, Recordable};

/// A number represented by its sign and binary logarithm: products are sums, and just as exact.
///
/// Over a number that adds without loss, such as [`Fixed`](crate::Fixed), `y *= e` and `y /= e` undo each other bit for
/// bit: `LogNumber<Fixed<48>>` is [`ExactMul`].
///
/// ```
/// use retrograd::{Fixed, LogNumber, Real};
///
/// let start = LogNumber::<Fixed<48>>::lit(0.1);
/// let mut y = start;
/// for n in 1..1000 {
///     y *= LogNumber::from_int(n);
/// }
/// for n in 1..1000 {
///     y /= LogNumber::from_int(n);
/// }
/// assert_eq!(y, start);
/// ```
///
/// It is a [`Real`], so every generic program runs on it, in every run; shadows are `f64`, and mean derivatives with respect to
/// the number itself, not its logarithm.
///
/// | operation | how | error |
/// |---|---|---|
/// | `* /`, `recip`, negation, `abs` | by the logarithms | that of `+` on `T`: none for fixed point |
/// | `powi`, `square`, `cube`, `sqrt`, `cbrt`, `powf` | multiples of the logarithm | one rounding of the logarithm |
/// | `exp`, `ln` and kin | from and to the logarithm | that of a conversion |
/// | `+ -` | log₂(1 ± 2^d) on top of the larger one | a few units of `T` in the logarithm; more where the sum cancels |
/// | all others | by way of the number itself, in `T` | that of two conversions |
///
/// Zero has no logarithm, and is treated separately. As a factor or divisor of `y *= e` and `y /= e` it is refused in every build,
/// and dividing by it panics. Where a logarithm does not fit into `T`, fixed-point products wrap around, as their sums do:
/// nothing is lost, and `/=` restores the value.
#[derive(Clone, Copy)]
pub struct LogNumber<T> {
    /// -1, 0 or 1.
    sign: i8,
    /// Zero if the number is.
    log2: T,
}

impl<T: Real> LogNumber<T> {
    /// 2 to the power `log2`.
    ///
    /// ```
    /// use retrograd::{LogNumber, Real};
    ///
    /// assert_eq!(LogNumber::from_log2(10.0).to_f64(), 1024.0);
    /// ```
    #[inline(always)]
    pub fn from_log2(log2: T) -> Self {
        LogNumber { sign: 1, log2 }
    }

    /// The binary logarithm of the magnitude; `None` for zero.
    ///
    /// ```
    /// use retrograd::{LogNumber, Real};
    ///
    /// assert_eq!(LogNumber::<f64>::lit(-8.0).log2_of_magnitude(), Some(3.0));
    /// assert_eq!(LogNumber::<f64>::zero().log2_of_magnitude(), None);
    /// ```
    #[inline(always)]
    pub fn log2_of_magnitude(self) -> Option<T> {
        (self.sign != 0).then_some(self.log2)
    }

    /// The number that is `value`.
    ///
    /// ```
    /// use retrograd::LogNumber;
    ///
    /// assert_eq!(LogNumber::from_linear(-0.25), -LogNumber::from_log2(-2.0));
    /// ```
    #[inline]
    pub fn from_linear(value: T) -> Self {
        if value == T::zero() {
            return LogNumber { sign: 0, log2: T::zero() };
        }
        LogNumber { sign: if value < T::zero() { -1 } else { 1 }, log2: value.abs().log2() }
    }

    /// The number as a `T`.
    ///
    /// ```
    /// use retrograd::LogNumber;
    ///
    /// assert_eq!(LogNumber::from_log2(-2.0).to_linear(), 0.25);
    /// ```
    #[inline]
    pub fn to_linear(self) -> T {
        match self.sign {
            0 => T::zero(),
            1 => self.log2.exp2(),
            _ => -self.log2.exp2(),
        }
    }
}

/// Zero.
impl<T: Real> Default for LogNumber<T> {
    #[inline(always)]
    fn default() -> Self {
        LogNumber { sign: 0, log2: T::zero() }
    }
}

impl<T: PartialEq> PartialEq for LogNumber<T> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.sign == other.sign && (self.sign == 0 || self.log2 == other.log2)
    }
}

impl<T: PartialOrd> PartialOrd for LogNumber<T> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self.sign.cmp(&other.sign), self.sign) {
            (Ordering::Equal, 0) => Some(Ordering::Equal),
            (Ordering::Equal, 1) => self.log2.partial_cmp(&other.log2),
            (Ordering::Equal, _) => other.log2.partial_cmp(&self.log2),
            (different, _) => Some(different),
        }
    }
}

/// As a power of two: `-2^0.5`.
impl<T: fmt::Display> fmt::Display for LogNumber<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sign {
            0 => return f.write_str("0"),
            1 => f.write_str("2^")?,
            _ => f.write_str("-2^")?,
        }
        self.log2.fmt(f)
    }
}

/// As a power of two: `-2^0.5`.
impl<T: fmt::Debug> fmt::Debug for LogNumber<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sign {
            0 => return f.write_str("0"),
            1 => f.write_str("2^")?,
            _ => f.write_str("-2^")?,
        }
        self.log2.fmt(f)
    }
}

recordable_fields! {
    (T: Recordable) LogNumber<T> { sign, log2 } "LogNumber" [T];
}

/// Compares sign and logarithm: all bits of it, if `T` is exact.
impl<T: Compare + fmt::Debug> Compare for LogNumber<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        if self.sign != actual.sign {
            report.mismatch(self, actual);
        } else {
            report.field("log2", &self.log2, &actual.log2);
        }
    }

    const EXACT: bool = T::EXACT;

    #[inline]
    fn magnitude(&self) -> f64 {
        self.log2.magnitude()
    }

    #[inline]
    fn drifts(&self, actual: &Self, scale: f64) -> bool {
        (self.sign != actual.sign) | self.log2.drifts(&actual.log2, scale)
    }

    #[inline(always)]
    fn apart(&self, actual: &Self) -> Apart {
        Apart::if_differs(self.sign != actual.sign) + self.log2.apart(&actual.log2)
    }
}

impl<T: Real + ExactAdd> ExactMul for LogNumber<T> {}

/// A factor can be divided out again if it is not zero.
impl<T: Real> MulUpdate for LogNumber<T> {
    #[inline(always)]
    fn mul_update(&mut self, factor: Self, site: &Site, _checked: bool) {
        if factor.sign == 0 {
            site.fail(ErrorKind::ZeroFactor, "the factor", "a number other than zero", "0");
        }
        *self *= factor;
    }

    #[inline(always)]
    fn div_update(&mut self, divisor: Self, site: &Site, _checked: bool) {
        if divisor.sign == 0 {
            site.fail(ErrorKind::ZeroFactor, "the divisor", "a number other than zero", "0");
        }
        *self /= divisor;
    }
}

floating_derivatives! { [T: Real] LogNumber<T> }

#[cfg(test)]
mod tests;
