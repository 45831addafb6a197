//! How far a restored value may be from what it was.

use std::cell::Cell;

/// The largest difference between a restored float and what it was that a backward run accepts.
///
/// A difference passes if it is at most `relative` times the larger of both magnitudes, or at most `absolute` times the larger of one
/// and the largest magnitude in the variable where its life began. A number that began as zero has no size of its own, and for it the
/// magnitude of the variable at the end of its life counts too: a sum of large numbers that began at zero comes back to a rounding
/// error of these. NaN never passes, an infinity only for itself.
/// The default is `1e-6` and `1e-10`; for `f32` no bound is below `1e-3` and `1e-4`. Exact types are compared bit by bit.
///
/// Set it for a scope with [`with_drift`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriftTolerance {
    /// The largest difference, as a fraction of the larger magnitude.
    pub relative: f64,
    /// The largest difference, as a fraction of the largest magnitude that the variable began with (for what was zero, or ended
    /// with), or of one.
    pub absolute: f64,
}

impl DriftTolerance {
    pub(super) const FOR_F32: DriftTolerance = DriftTolerance { relative: 1e-3, absolute: 1e-4 };

    pub(super) const DEFAULT: DriftTolerance = DriftTolerance { relative: 1e-6, absolute: 1e-10 };

    /// The tolerance in force: that of the innermost [`with_drift`] on this thread, or the default.
    pub(crate) fn current() -> DriftTolerance {
        CURRENT.get()
    }

    /// The same, but not below the default for numbers with all digits, or with half of them.
    pub(crate) fn current_for(half: bool) -> DriftTolerance {
        DriftTolerance::current().at_least(DriftTolerance::least(half))
    }

    /// The default for numbers with all digits, or with half of them.
    pub(crate) fn least(half: bool) -> DriftTolerance {
        if half { DriftTolerance::FOR_F32 } else { DriftTolerance::DEFAULT }
    }

    fn at_least(self, DriftTolerance { relative, absolute }: DriftTolerance) -> DriftTolerance {
        DriftTolerance { relative: self.relative.max(relative), absolute: self.absolute.max(absolute) }
    }

    /// The largest difference that passes between two numbers of a variable of this size.
    pub(crate) fn allowed(self, expected: f64, actual: f64, Size { start, end }: Size) -> f64 {
        // In a variable that has grown, a number may have lost all of its digits though it is off by no more than a rounding error
        // of what the variable became. Only of zero there are none to lose.
        let size = if expected == 0.0 { start.max(end) } else { start };
        (self.relative * expected.abs().max(actual.abs())).max(self.absolute * size.max(1.0))
    }
}

/// The largest magnitude in a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// Where its life began.
    pub(crate) start: f64,
    /// When all was computed.
    pub(crate) end: f64,
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

/// Whether a number is further from what it was than the default tolerance allows, whatever its variable began with: what a backward
/// run asks first, and nearly always all that it asks. The variable is as large as `scale` in the end. NaN is, and so is an
/// infinity, even from itself.
#[inline(always)]
pub(crate) fn drifts(expected: f64, actual: f64, scale: f64) -> bool {
    let bounds = Bounds::new(DriftTolerance::DEFAULT, scale);
    bounds.is_far(expected, actual) && bounds.exceeded(expected, actual)
}

/// The same for numbers of half the digits.
#[inline(always)]
pub(crate) fn drifts_f32(expected: f32, actual: f32, scale: f64) -> bool {
    Bounds::new(DriftTolerance::FOR_F32, scale).exceeded(expected.into(), actual.into())
}

/// The same for several numbers, some of which may be too far.
#[cold]
pub(crate) fn any_drifts(expected: &[f64], actual: &[f64], scale: f64) -> bool {
    let bounds = Bounds::new(DriftTolerance::DEFAULT, scale);
    // Without a way out in the middle, so that several are compared at once.
    let pairs = expected.iter().zip(actual);
    pairs.fold(false, |any, (expected, actual)| any | bounds.exceeded(*expected, *actual))
}

/// The same for several numbers that were all the same.
#[cold]
pub(crate) fn any_drifts_from(expected: f64, actual: &[f64], scale: f64) -> bool {
    let bounds = Bounds::new(DriftTolerance::DEFAULT, scale);
    actual.iter().fold(false, |any, actual| any | bounds.exceeded(expected, *actual))
}

/// How far two numbers of half the digits are apart, in units of what others may be.
#[inline(always)]
pub(crate) fn distance_of_f32(expected: f32, actual: f32) -> f64 {
    const UNIT: f64 = DriftTolerance::DEFAULT.absolute / DriftTolerance::FOR_F32.absolute;
    (f64::from(expected) - f64::from(actual)).abs() * UNIT
}

/// How large a variable is in the end, if that counts: for a number that was zero. Where it is known that it was not, nobody has to
/// look.
#[inline(always)]
pub(crate) fn scale_for(expected: f64, scale: f64) -> f64 {
    if expected == 0.0 { scale } else { 0.0 }
}

/// What passes at least, whatever a variable began with.
struct Bounds {
    relative: f64,
    /// For what was not zero.
    absolute: f64,
    /// For what was zero.
    of_zero: f64,
}

impl Bounds {
    #[inline(always)]
    fn new(DriftTolerance { relative, absolute }: DriftTolerance, scale: f64) -> Bounds {
        Bounds { relative, absolute, of_zero: absolute * scale.max(1.0) }
    }

    /// Whether the least of the bounds is exceeded.
    #[inline(always)]
    fn is_far(&self, expected: f64, actual: f64) -> bool {
        exceeds((expected - actual).abs(), self.absolute)
    }

    #[inline(always)]
    fn exceeded(&self, expected: f64, actual: f64) -> bool {
        let absolute = if expected == 0.0 { self.of_zero } else { self.absolute };
        exceeds((expected - actual).abs(), (self.relative * expected.abs()).max(absolute))
    }
}

// Written so that NaN exceeds everything, and an infinite distance an infinite bound.
#[inline(always)]
fn exceeds(distance: f64, bound: f64) -> bool {
    let near = distance < bound;
    !near
}

/// By how much two numbers differ, and how much is allowed, if that is less. The tolerance in force can be wider than the default, and
/// not narrower.
pub(crate) fn excess(expected: f64, actual: f64, size: Size, half: bool) -> Option<(f64, f64)> {
    let tolerance = DriftTolerance::current_for(half);
    let (distance, allowed) = ((expected - actual).abs(), tolerance.allowed(expected, actual, size));
    // An infinity is as far from a number as it can be, unless all is allowed.
    let passes = distance <= allowed && (distance < f64::INFINITY || tolerance.absolute == f64::INFINITY);
    (!passes && expected != actual).then_some((distance, allowed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Compare;

    /// Of a variable that began with this number alone, and ended as large as `end`.
    fn own(expected: f64, end: f64) -> Size {
        Size { start: expected.abs(), end }
    }

    fn fails(expected: f64, actual: f64, scale: f64) -> bool {
        let fails = excess(expected, actual, own(expected, scale), false).is_some();
        // What is asked first lets nothing pass that fails.
        let first = [
            drifts(expected, actual, scale),
            f64::any_drifts(&[1.0, expected], &[1.0, actual], scale),
            expected.any_drifts_from(&[actual; 3], scale),
            f64::any_drifts(&[[1.0; 40], [expected; 40]].concat(), &[[1.0; 40], [actual; 40]].concat(), scale),
            expected.any_drifts_from(&[[expected; 40], [actual; 40]].concat(), scale),
        ];
        assert!(!fails || first == [true; 5], "{expected} {actual} {scale}");
        fails
    }

    #[test]
    fn a_difference_passes_by_the_number_or_by_the_variable() {
        assert!(!fails(1.0, 1.0 + 9e-7, 0.0) && fails(1.0, 1.0 + 2e-6, 0.0));
        assert!(!fails(0.0, 9e-11, 0.0) && fails(0.0, 2e-10, 0.0));
        assert!(!fails(0.0, 9e-5, 1e6) && fails(0.0, 2e-4, 1e6));
        assert!(!drifts(0.0, 9e-11, 0.0) && !drifts(0.0, 9e-5, 1e6) && !drifts(1e3, 1e3 + 9e-4, 0.0));
        let half = |actual| excess(1.0, actual, own(1.0, 0.0), true).is_some();
        assert!(!half(1.0005) && half(1.002) && drifts_f32(1.0, 1.002, 0.0) && !drifts_f32(1.0, 1.00005, 0.0));
    }

    #[test]
    fn what_has_digits_is_to_keep_them_however_large_the_variable_becomes() {
        assert!(fails(0.3, 0.0, 1e18) && fails(0.3, 0.3001, 1e40) && fails(1e-3, 1.1e-3, 1e8));
        assert!(!fails(0.3, 0.3 + 1e-7, 1e18) && !fails(0.0, 100.0, 1e18));
        // Beside larger numbers at the start, small ones have only the digits that these leave to them.
        let beside = |start, actual| excess(1e-9, actual, Size { start, end: 1e18 }, false).is_some();
        assert!(!beside(1e3, 5e-8) && beside(1.0, 5e-8) && beside(1e3, 2e-7));
    }

    #[test]
    fn nan_never_passes_and_an_infinity_only_for_itself() {
        for other in [0.0, f64::INFINITY, f64::NAN] {
            assert!(fails(f64::NAN, other, f64::INFINITY) && fails(other, f64::NAN, 1.0));
        }
        assert!(!fails(f64::INFINITY, f64::INFINITY, 1.0));
        assert!(fails(f64::INFINITY, 1.0, f64::INFINITY) && fails(f64::NEG_INFINITY, f64::INFINITY, 1.0));
    }

    #[test]
    fn the_tolerance_of_a_scope_is_asked_for_on_failure() {
        let wide = DriftTolerance { relative: 0.0, absolute: 1.0 };
        let excess = |actual, end| excess(0.0, actual, own(0.0, end), false);
        assert!(excess(0.5, 0.0).is_some());
        assert_eq!(with_drift(wide, || excess(0.5, 0.0)), None);
        assert_eq!(with_drift(wide, || excess(5.0, 2.0)), Some((5.0, 2.0)));
        assert_eq!(DriftTolerance::current(), DriftTolerance::default());
    }
}
