//! Fixed-point numbers: additions that are undone bit for bit.

mod conversions;
mod damping;
mod double;
mod elementary;
mod functions;
#[cfg(feature = "fixed")]
mod interchange;
mod operators;

use std::error::Error;
use std::fmt;

use crate::check::{Apart, Compare, Report};
use crate::numbers::ExactAdd;
use crate::numbers::floating::floating_derivatives;
use crate::ops::{MulUpdate, Site};
use crate::record::recordable_fields;
use crate::{ErrorKind, InformationBuffer, Real};
use damping::Factor;

/// A 64-bit number with `FRAC` fractional bits: additions are undone bit for bit.
///
/// `Fixed<32>` holds the multiples of 2⁻³² from −2³¹ to just below 2³¹. Sums and differences do not round, and wrap
/// around on overflow, so a program that only adds, such as leapfrog, reverses exactly after any number
/// of steps. `FRAC` is at most 62.
///
/// ```
/// use retrograd::{Fixed, Real};
///
/// let start = Fixed::<32>::lit(0.1);
/// let mut x = start;
/// for i in 0..1000 {
///     x += Fixed::from_int(i).sin();
/// }
/// for i in (0..1000).rev() {
///     x -= Fixed::from_int(i).sin();
/// }
/// assert_eq!(x, start);
/// ```
///
/// It is a [`Real`], so every generic program runs on it, in every run. Values are exact and derivatives are floats: a
/// shadow is an `f64`, and rules compute in `f64`, so a slope may be larger or finer than the numbers themselves.
///
/// ```
/// use retrograd::{Fixed, prelude::*};
///
/// #[reversible]
/// fn inverse<T: Real>(x: T) -> T {
///     x.recip()
/// }
///
/// let (value, slope) = inverse::gradient(Fixed::<32>::lit(0.0001220703125));
/// assert_eq!((value.to_f64(), slope), (8192.0, -67108864.0));
/// ```
///
/// Second derivatives, from `f::hessian` and `f::hvp`, are computed in the numbers themselves, and have to fit into them.
///
/// With the feature `fixed`, `TryFrom` goes to and from the numbers of the crate of that name.
///
/// # Edges
///
/// | operation | where | what happens |
/// |---|---|---|
/// | `+`, `-`, negation | the result does not fit | wraps around, and is undone exactly |
/// | `*`, `/`, functions | the result does not fit | panics, in every build |
/// | `/`, `recip`, `rem_euclid` | division by zero | panics |
/// | `ln`, `sqrt`, `asin`, .. | outside the domain | panics, and says what to write |
/// | [`TryFrom<f64>`](#impl-TryFrom<f64>-for-Fixed<FRAC>) | too large, or not a number | an [`OutOfRange`] |
/// | `Fixed::lit`, `Fixed::from_int` | the same | panics |
///
/// `y *= e` rounds, so `y /= e` restores `y` only up to a few bits; checks compare all of them, and say so. For products
/// that are undone exactly use [`LogNumber`](crate::LogNumber), and for factors up to one [`damp`](fn@crate::ops::damp), which stores
/// what is rounded off.
///
/// # Accuracy
///
/// In units of the last place, over the 2100 points of `scripts/fixed-reference`, in `Fixed<16>`, `Fixed<32>` and `Fixed<48>`:
///
/// | function | error at most |
/// |---|---|
/// | `+ - floor ceil round trunc fract abs rem_euclid` | 0 |
/// | `* / recip sqrt square hypot mul_add` | 0.5: rounded once |
/// | all other elementary functions | 0.5, from a result with 95 digits that is rounded once |
/// | `erf` | 0.5 for up to 45 fractional bits, and 2 for `Fixed<48>`, by way of `f64` |
/// | `gamma`, `lgamma` | by way of `f64`: relative to the result, 10⁻¹⁴ |
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fixed<const FRAC: u32> {
    bits: i64,
}

/// A number that does not fit into a [`Fixed`].
///
/// ```
/// use retrograd::Fixed;
///
/// let error = Fixed::<48>::try_from(1e6).unwrap_err();
/// assert_eq!(error.to_string(), "1000000.0 does not fit into Fixed<48>, which goes from -32768 to 32768");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfRange {
    /// The number.
    pub value: f64,
    /// The number of fractional bits.
    pub frac: u32,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OutOfRange { value, frac } = self;
        let end = 2_f64.powi(63 - *frac as i32);
        write!(f, "{value:?} does not fit into Fixed<{frac}>, which goes from -{end} to {end}")
    }
}

impl Error for OutOfRange {}

impl<const FRAC: u32> Fixed<FRAC> {
    /// The smallest number.
    pub const MIN: Fixed<FRAC> = Fixed::from_bits(i64::MIN);
    /// The largest number.
    pub const MAX: Fixed<FRAC> = Fixed::from_bits(i64::MAX);
    /// The distance from each number to the next: 2 to the power −`FRAC`.
    pub const EPSILON: Fixed<FRAC> = Fixed::from_bits(1);
    const ONE: i64 = Fixed::<FRAC>::from_bits(1 << FRAC).bits;

    /// The number with these bits: `bits` over 2 to the power `FRAC`.
    ///
    /// ```
    /// use retrograd::{Fixed, Real};
    ///
    /// assert_eq!(Fixed::<4>::from_bits(24), Fixed::lit(1.5));
    /// ```
    #[inline(always)]
    pub const fn from_bits(bits: i64) -> Fixed<FRAC> {
        const { assert!(FRAC <= 62, "a Fixed has at most 62 bits after the point: one has to fit") }
        Fixed { bits }
    }

    /// The bits of the number.
    ///
    /// ```
    /// use retrograd::{Fixed, Real};
    ///
    /// assert_eq!(Fixed::<4>::lit(1.5).to_bits(), 24);
    /// ```
    #[inline(always)]
    pub const fn to_bits(self) -> i64 {
        self.bits
    }

    /// The number with these bits, if they fit.
    #[inline(always)]
    fn fitting(bits: i128) -> Option<Fixed<FRAC>> {
        i64::try_from(bits).ok().map(Fixed::from_bits)
    }

    /// The number with these bits, which are those of the value of `operation`.
    #[inline(always)]
    #[track_caller]
    fn fit(bits: i128, operation: &str) -> Fixed<FRAC> {
        match Fixed::fitting(bits) {
            Some(fixed) => fixed,
            None => too_large(operation, FRAC),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn too_large(operation: &str, frac: u32) -> ! {
    let end = 1_i128 << (63 - frac);
    panic!(
        "the value of `{operation}` does not fit into Fixed<{frac}>, which goes from -{end} to {end}; choose fewer bits behind \
         the point"
    )
}

/// The nearest number.
impl<const FRAC: u32> TryFrom<f64> for Fixed<FRAC> {
    type Error = OutOfRange;

    #[inline]
    fn try_from(value: f64) -> Result<Self, OutOfRange> {
        // Scaling is exact, and what is too large for `i128` saturates and does not fit into `i64`.
        let bits = (value * (1_u64 << FRAC) as f64).round();
        let fixed = if bits.is_nan() { None } else { Fixed::fitting(bits as i128) };
        fixed.ok_or(OutOfRange { value, frac: FRAC })
    }
}

/// As few digits as tell the number from its neighbours: `0.1`, not what it was rounded to.
impl<const FRAC: u32> fmt::Display for Fixed<FRAC> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = u128::from(self.bits.unsigned_abs());
        let (whole, below) = (magnitude >> FRAC, magnitude & ((1 << FRAC) - 1));
        let half = (1_u128 << FRAC) >> 1;
        // The nearest number of so many decimals, as an integer. No number needs more than 19 to be told from its neighbours.
        let decimals = |digits: u32| (below * 10_u128.pow(digits) + half) >> FRAC;
        let enough = |digits: &u32| {
            let ten = 10_u128.pow(*digits);
            ((decimals(*digits) << FRAC) + ten / 2) / ten == below
        };
        let wanted = f.precision();
        let digits = wanted.map_or_else(|| (0..19).find(enough).unwrap_or(19), |wanted| wanted.min(19) as u32);
        let ten = 10_u128.pow(digits);
        let all = whole * ten + decimals(digits);
        let mut text = (all / ten).to_string();
        if wanted.unwrap_or(digits as usize) > 0 {
            let width = digits as usize;
            text += &format!(".{:0width$}", all % ten);
            text.extend(std::iter::repeat_n('0', wanted.unwrap_or(width) - width));
        }
        f.pad_integral(self.bits >= 0, "", &text)
    }
}

/// As it is shown.
impl<const FRAC: u32> fmt::Debug for Fixed<FRAC> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

recordable_fields! {
    (const FRAC: u32) Fixed<FRAC> { bits };
}

/// Compares all bits.
impl<const FRAC: u32> Compare for Fixed<FRAC> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.exact(self, actual, [self.to_f64(), actual.to_f64()]);
    }

    const EXACT: bool = true;

    #[inline(always)]
    fn magnitude(&self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn drifts(&self, actual: &Self, _: f64) -> bool {
        self != actual
    }

    #[inline(always)]
    fn apart(&self, actual: &Self) -> Apart {
        Apart::if_differs(self != actual)
    }
}

impl<const FRAC: u32> ExactAdd for Fixed<FRAC> {}

/// Products are rounded; a factor of zero cannot be divided out again at all.
impl<const FRAC: u32> MulUpdate for Fixed<FRAC> {
    #[inline(always)]
    fn mul_update(&mut self, factor: Self, site: &Site, checked: bool) {
        if checked && factor.bits == 0 {
            site.fail(ErrorKind::ZeroFactor, "the factor", "a number other than zero", factor.to_string());
        }
        *self *= factor;
    }

    #[inline(always)]
    fn div_update(&mut self, divisor: Self, site: &Site, _checked: bool) {
        if divisor.bits == 0 {
            site.fail(ErrorKind::ZeroFactor, "the divisor", "a number other than zero", divisor.to_string());
        }
        *self /= divisor;
    }

    #[inline]
    fn damp(&mut self, factor: Self, lost: &mut InformationBuffer, _site: &Site) {
        self.damp_by(Factor::of(factor), lost);
    }

    #[inline]
    fn undamp(&mut self, factor: Self, lost: &mut InformationBuffer, site: &Site) {
        self.undamp_by(Factor::of(factor), lost, site);
    }
}

floating_derivatives! { [const FRAC: u32] Fixed<FRAC> }

#[cfg(test)]
mod tests;
