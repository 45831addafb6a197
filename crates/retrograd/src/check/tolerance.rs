//! How close two floats must be to count as the same.

use std::cell::Cell;

/// The largest difference between floats that passes a check.
///
/// `a` passes for `b` if `|a - b|` is at most `relative` times the larger magnitude, or at most
/// `absolute`. NaN never passes, an infinity only for itself. The default is `1e-8` for both: half
/// the digits of an `f64`, and near zero what is left when numbers of ordinary size cancel.
///
/// For `f32` both numbers are widened: so many rounding errors of `f64` become as many of `f32`,
/// but no more than half its digits, which is `2⁻¹²`. A tolerance of zero stays zero.
///
/// ```
/// use retrograd::check::{Tolerance, mismatches, with_tolerance};
///
/// assert!(mismatches(&1.0, &(1.0 + 1e-9)).is_empty());
/// assert!(with_tolerance(Tolerance::EXACT, || !mismatches(&1.0, &(1.0 + 1e-9)).is_empty()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// The largest difference, as a fraction of the larger magnitude.
    pub relative: f64,
    /// The difference that is always accepted.
    pub absolute: f64,
}

thread_local! {
    static CURRENT: Cell<Tolerance> = const { Cell::new(Tolerance::HALF_THE_DIGITS) };
}

impl Tolerance {
    /// Only the same number passes.
    pub const EXACT: Tolerance = Tolerance { relative: 0.0, absolute: 0.0 };

    const HALF_THE_DIGITS: Tolerance = Tolerance { relative: 1e-8, absolute: 1e-8 };

    /// The tolerance of the innermost [`with_tolerance`] on this thread, or the default.
    ///
    /// ```
    /// use retrograd::check::Tolerance;
    ///
    /// assert_eq!(Tolerance::current(), Tolerance::default());
    /// ```
    pub fn current() -> Tolerance {
        CURRENT.get()
    }

    /// Whether `actual` passes for `expected`.
    ///
    /// ```
    /// use retrograd::check::Tolerance;
    ///
    /// let tolerance = Tolerance { relative: 0.0, absolute: 0.25 };
    /// assert!(tolerance.allows(1.0, 1.25));
    /// assert!(!tolerance.allows(1.0, 1.5));
    /// assert!(!tolerance.allows(f64::NAN, f64::NAN));
    /// ```
    pub fn allows(&self, expected: f64, actual: f64) -> bool {
        // `inf <= inf` would let every number pass for an infinity.
        expected == actual
            || (expected.is_finite()
                && actual.is_finite()
                && (expected - actual).abs() <= (self.relative * expected.abs().max(actual.abs())).max(self.absolute))
    }

    /// The tolerance for `f32` where this one is meant for `f64`.
    pub(super) fn widened_to_f32(self) -> Tolerance {
        const ROUNDING_ERRORS: f64 = f32::EPSILON as f64 / f64::EPSILON;
        const HALF_THE_DIGITS: f64 = 1.0 / 4096.0;
        let widen = |bound: f64| bound.max((bound * ROUNDING_ERRORS).min(HALF_THE_DIGITS));
        Tolerance { relative: widen(self.relative), absolute: widen(self.absolute) }
    }
}

impl Default for Tolerance {
    fn default() -> Self {
        Tolerance::HALF_THE_DIGITS
    }
}

/// Runs `program` with a different tolerance for every check on this thread.
///
/// Afterwards the old tolerance is restored, even if `program` panics.
///
/// ```
/// use retrograd::check::{Tolerance, with_tolerance};
///
/// let coarse = Tolerance { relative: 1e-3, absolute: 1e-3 };
/// assert_eq!(with_tolerance(coarse, Tolerance::current), coarse);
/// assert_eq!(Tolerance::current(), Tolerance::default());
/// ```
pub fn with_tolerance<R>(tolerance: Tolerance, program: impl FnOnce() -> R) -> R {
    struct Restore(Tolerance);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _restore = Restore(CURRENT.replace(tolerance));
    program()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f32_gets_its_own_digits() {
        let widened = Tolerance::default().widened_to_f32();
        assert_eq!(widened, Tolerance { relative: 1.0 / 4096.0, absolute: 1.0 / 4096.0 });
        assert_eq!(Tolerance::EXACT.widened_to_f32(), Tolerance::EXACT);
        let coarse = Tolerance { relative: 0.5, absolute: 0.0 };
        assert_eq!(coarse.widened_to_f32(), coarse);
    }

    #[test]
    fn infinities_pass_only_for_themselves() {
        let tolerance = Tolerance { relative: 1.0, absolute: f64::INFINITY };
        assert!(tolerance.allows(f64::INFINITY, f64::INFINITY));
        assert!(!tolerance.allows(f64::INFINITY, f64::NEG_INFINITY));
        assert!(!tolerance.allows(f64::INFINITY, 1.0));
        assert!(!tolerance.allows(1.0, f64::NEG_INFINITY));
    }
}
