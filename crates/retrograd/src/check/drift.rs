//! How far a restored value may be from what it was.

use std::cell::Cell;

/// The largest difference between a restored float and what it was that a backward run accepts.
///
/// A difference passes if it is at most `relative` times the larger of both magnitudes, or at most `absolute` times the largest
/// magnitude in the variable at either end of its life, and at least `absolute`. NaN never passes, an infinity only for itself.
/// The default is `1e-6` and `1e-10`; for `f32` no bound is below `1e-3` and `1e-4`. Exact types are compared bit by bit.
///
/// Set it for a scope with [`with_drift`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriftTolerance {
    /// The largest difference, as a fraction of the larger magnitude.
    pub relative: f64,
    /// The largest difference, as a fraction of the largest magnitude that the variable had at either end, or of one.
    pub absolute: f64,
}

impl DriftTolerance {
    const FOR_F32: DriftTolerance = DriftTolerance { relative: 1e-3, absolute: 1e-4 };

    const DEFAULT: DriftTolerance = DriftTolerance { relative: 1e-6, absolute: 1e-10 };

    /// The tolerance in force: that of the innermost [`with_drift`] on this thread, or the default.
    pub(crate) fn current() -> DriftTolerance {
        CURRENT.get()
    }

    fn widened_to_f32(self) -> DriftTolerance {
        let DriftTolerance { relative, absolute } = DriftTolerance::FOR_F32;
        DriftTolerance { relative: self.relative.max(relative), absolute: self.absolute.max(absolute) }
    }

    /// The largest difference that passes between two numbers of a variable as large as `scale`.
    pub(crate) fn allowed(self, expected: f64, actual: f64, scale: f64) -> f64 {
        (self.relative * expected.abs().max(actual.abs())).max(self.absolute * scale.max(1.0))
    }
}

impl Default for DriftTolerance {
    fn default() -> Self {
        DriftTolerance::DEFAULT
    }
}

thread_local! {
    static CURRENT: Cell<DriftTolerance> = const { Cell::new(DriftTolerance::DEFAULT) };
}

/// Runs `program` with a wider tolerance for what backward runs restore on this thread.
///
/// The default is compiled into the runs, and the one given here is asked for only where that one is exceeded: it can widen the
/// default, and not narrow it. Afterwards the old tolerance is back, even if `program` panics.
///
/// ```
/// use retrograd::check::{DriftTolerance, with_drift};
/// use retrograd::prelude::*;
///
/// /// Position of a pendulum with friction, pushed to one side, after `steps` steps.
/// #[reversible]
/// fn damped(friction: f64, push: f64, steps: usize) -> f64 {
///     let mut x = 1.0;
///     let mut v = 0.0;
///     for _ in 0..steps {
///         v *= 1.0 - friction;
///         v += 0.01 * (push - x.sin());
///         x += 0.01 * v;
///     }
///     x
/// }
///
/// let error = retrograd::attempt(|| damped::gradient(0.01, 0.5, 10_000)).unwrap_err();
/// assert_eq!(error.kind, retrograd::ErrorKind::Drift);
/// let blind = DriftTolerance { relative: f64::INFINITY, absolute: f64::INFINITY };
/// with_drift(blind, || damped::gradient(0.01, 0.5, 10_000));
/// ```
pub fn with_drift<R>(tolerance: DriftTolerance, program: impl FnOnce() -> R) -> R {
    struct Restore(DriftTolerance);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _restore = Restore(CURRENT.replace(tolerance));
    program()
}

/// Whether a number has not come back, by the default tolerance: what a backward run asks first.
#[inline(always)]
pub(crate) fn drifts(expected: f64, actual: f64, scale: f64) -> bool {
    exceeds(DriftTolerance::DEFAULT, expected, actual, scale)
}

/// The same for numbers of half the digits.
#[inline(always)]
pub(crate) fn drifts_f32(expected: f32, actual: f32, scale: f64) -> bool {
    exceeds(DriftTolerance::FOR_F32, expected.into(), actual.into(), scale)
}

/// By how much two numbers differ, and how much is allowed, if that is less.
pub(crate) fn excess(expected: f64, actual: f64, scale: f64, half: bool) -> Option<(f64, f64)> {
    let tolerance = DriftTolerance::current();
    let tolerance = if half { tolerance.widened_to_f32() } else { tolerance };
    exceeds(tolerance, expected, actual, scale)
        .then(|| ((expected - actual).abs(), tolerance.allowed(expected, actual, scale)))
}

#[inline(always)]
fn exceeds(tolerance: DriftTolerance, expected: f64, actual: f64, scale: f64) -> bool {
    let distance = (expected - actual).abs();
    // Written so that NaN exceeds everything; an infinity is as far from a number as it can be, unless all is allowed.
    let passes = distance <= tolerance.relative * expected.abs().max(actual.abs())
        || distance <= tolerance.absolute * scale.max(1.0)
        || expected == actual;
    !passes || distance == f64::INFINITY && tolerance.absolute < f64::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_passes_by_the_number_or_by_the_variable() {
        assert!(!drifts(1.0, 1.0 + 9e-7, 0.0) && drifts(1.0, 1.0 + 2e-6, 0.0));
        assert!(!drifts(0.0, 9e-11, 0.0) && drifts(0.0, 2e-10, 0.0));
        assert!(!drifts(0.0, 9e-5, 1e6) && drifts(0.0, 2e-4, 1e6));
        assert!(!drifts_f32(1.0, 1.0005, 0.0) && drifts_f32(1.0, 1.002, 0.0));
    }

    #[test]
    fn nan_never_passes_and_an_infinity_only_for_itself() {
        for other in [0.0, f64::INFINITY, f64::NAN] {
            assert!(drifts(f64::NAN, other, f64::INFINITY) && drifts(other, f64::NAN, 1.0));
        }
        assert!(!drifts(f64::INFINITY, f64::INFINITY, 1.0));
        assert!(drifts(f64::INFINITY, 1.0, f64::INFINITY) && drifts(f64::NEG_INFINITY, f64::INFINITY, 1.0));
    }

    #[test]
    fn the_tolerance_of_a_scope_is_asked_for_on_failure() {
        let wide = DriftTolerance { relative: 0.0, absolute: 1.0 };
        assert!(excess(0.0, 0.5, 0.0, false).is_some());
        assert_eq!(with_drift(wide, || excess(0.0, 0.5, 0.0, false)), None);
        assert_eq!(with_drift(wide, || excess(0.0, 5.0, 2.0, false)), Some((5.0, 2.0)));
        assert_eq!(DriftTolerance::current(), DriftTolerance::default());
    }
}
