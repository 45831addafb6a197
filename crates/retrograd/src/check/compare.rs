//! The comparison that checks use, and its meaning for numbers and text.

use std::fmt::{self, Debug};
use std::num::{NonZero, Saturating, Wrapping};

use super::{Apart, Digest, Tolerance, drift, rows};

/// Comparison for checks: reports each place where a value differs from the expected one.
///
/// Exact types compare bit by bit, floats with the [`Tolerance`] in force, containers and tuples
/// element by element. Your own type compares its fields:
///
/// ```
/// use retrograd::check::{Compare, Report, mismatches};
///
/// struct Particle {
///     position: [f64; 3],
///     charge: i32,
/// }
///
/// impl Compare for Particle {
///     fn compare(&self, actual: &Self, report: &mut Report) {
///         report.field("position", &self.position, &actual.position);
///         report.field("charge", &self.charge, &actual.charge);
///     }
/// }
///
/// let before = Particle { position: [0.0, 0.5, 1.0], charge: 1 };
/// let after = Particle { position: [0.0, 0.5, 2.0], charge: 1 };
/// let found = mismatches(&before, &after);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].to_string(), ".position[2]: expected 1.0, found 2.0");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared place by place in a check",
    note = "implement `retrograd::check::Compare`: one `report.field(..)` for each field"
)]
pub trait Compare {
    /// Reports to `report` each place where `actual` does not pass for `self`, the expected value.
    fn compare(&self, actual: &Self, report: &mut Report);

    /// Whether there is no float in it.
    #[doc(hidden)]
    const EXACT: bool = false;

    /// The largest magnitude of a float in it; zero if there is none.
    #[doc(hidden)]
    fn magnitude(&self) -> f64 {
        let mut report = Report::of(Allowance::Everything { largest: 0.0 }, 0);
        self.compare(self, &mut report);
        match report.allowance {
            Allowance::Everything { largest } => largest,
            Allowance::Tolerance(_) | Allowance::Drift(_) | Allowance::Digest(_) => 0.0,
        }
    }

    /// Whether `actual`, which a backward run has restored in a variable as large as `scale`, is not so near to `self`, which it
    /// was, that it passes whatever the tolerance in force. Then [`drift`](Compare::drift) decides.
    #[doc(hidden)]
    fn drifts(&self, actual: &Self, scale: f64) -> bool {
        first_drift(self, actual, scale).is_some()
    }

    /// How far `actual`, which a backward run has restored, is from `self`, which it was.
    #[doc(hidden)]
    #[inline(always)]
    fn apart(&self, actual: &Self) -> Apart {
        _ = actual;
        Apart::UNKNOWN
    }

    /// The largest magnitude in several of them.
    #[doc(hidden)]
    #[inline(always)]
    fn largest(all: &[Self]) -> f64
    where
        Self: Sized,
    {
        rows::largest(all)
    }

    /// Whether one of several drifts; there are as many of both.
    #[doc(hidden)]
    #[inline(always)]
    fn any_drifts(all: &[Self], actual: &[Self], scale: f64) -> bool
    where
        Self: Sized,
    {
        rows::any_far(all, actual) && all.iter().zip(actual).any(|(one, actual)| one.drifts(actual, scale))
    }

    /// Whether one of several drifts that all were `self`.
    #[doc(hidden)]
    #[inline(always)]
    fn any_drifts_from(&self, actual: &[Self], scale: f64) -> bool
    where
        Self: Sized,
    {
        rows::any_far_from(self, actual) && actual.iter().any(|actual| self.drifts(actual, scale))
    }

    /// The first place where `actual` is not what it was, by the tolerance in force. Small types are handed on by value, and vectors as
    /// slices, so that a variable can stay in registers that is compared only in the end.
    #[doc(hidden)]
    #[inline(always)]
    fn drift(&self, actual: &Self, scale: f64) -> Option<Mismatch> {
        first_drift(self, actual, scale)
    }
}

/// A place where a value differs from the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The path to the place from the value that was compared, such as `.0[3]`; empty for the value
    /// itself.
    pub path: String,
    /// What should be there.
    pub expected: String,
    /// What is there.
    pub actual: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { path, expected, actual } = self;
        let separator = if path.is_empty() { "" } else { ": " };
        write!(f, "{path}{separator}expected {expected}, found {actual}")
    }
}

/// Every place where `actual` does not pass for `expected`, in order; none if they are the
/// same.
///
/// ```
/// use retrograd::check::mismatches;
///
/// assert!(mismatches(&[1.0, 2.0], &[1.0, 2.0 + 1e-12]).is_empty());
/// assert_eq!(mismatches(&[1, 2], &[1, 3])[0].path, "[1]");
/// ```
pub fn mismatches<T: Compare + ?Sized>(expected: &T, actual: &T) -> Vec<Mismatch> {
    let mut report = Report::new(usize::MAX);
    expected.compare(actual, &mut report);
    report.found
}

/// The first of the [`mismatches`], without the cost of describing the others.
pub(crate) fn first_mismatch<T: Compare + ?Sized>(expected: &T, actual: &T) -> Option<Mismatch> {
    let mut report = Report::new(1);
    expected.compare(actual, &mut report);
    report.found.pop()
}

/// The first place where a restored value is not what it was, by the tolerance for drift in force.
#[cold]
#[inline(never)]
fn first_drift<T: Compare + ?Sized>(expected: &T, actual: &T, scale: f64) -> Option<Mismatch> {
    let size = drift::Size { start: expected.magnitude(), end: scale };
    let mut report = Report::of(Allowance::Drift(size), 1);
    expected.compare(actual, &mut report);
    report.found.pop()
}

/// What a value comes to, behind others.
pub(super) fn digest<T: Compare + ?Sized>(value: &T, others: Digest) -> Digest {
    let mut report = Report::of(Allowance::Digest(others), 0);
    value.compare(value, &mut report);
    match report.allowance {
        Allowance::Digest(digest) => digest,
        Allowance::Tolerance(_) | Allowance::Drift(_) | Allowance::Everything { .. } => others,
    }
}

/// The same for values.
#[cold]
#[inline(never)]
fn drift_of_values<T: Compare>(expected: T, actual: T, scale: f64) -> Option<Mismatch> {
    first_drift(&expected, &actual, scale)
}

/// How values are handed on that fit into a register.
macro_rules! drift_by_value {
    () => {
        #[inline(always)]
        fn drift(&self, actual: &Self, scale: f64) -> Option<Mismatch> {
            drift_of_values(*self, *actual, scale)
        }
    };
}

/// Collects the mismatches of one comparison; see [`Compare`] for its use.
#[derive(Debug)]
pub struct Report {
    allowance: Allowance,
    /// Whether exact types may be rounded all the same: as derivatives of a number beside it.
    rounded: bool,
    limit: usize,
    found: Vec<Mismatch>,
}

/// How far floats may be apart.
#[derive(Clone, Copy, Debug)]
enum Allowance {
    /// As far as this.
    Tolerance(Tolerance),
    /// As far as what a backward run restores in a variable of this size.
    Drift(drift::Size),
    /// As far as they like: the largest of them is looked for.
    Everything { largest: f64 },
    /// As far as they like: they are summed up.
    Digest(Digest),
}

impl Report {
    fn new(limit: usize) -> Report {
        Report::of(Allowance::Tolerance(Tolerance::current()), limit)
    }

    fn of(allowance: Allowance, limit: usize) -> Report {
        Report { allowance, rounded: false, limit, found: Vec::new() }
    }

    /// The tolerance that floats are compared with.
    pub fn tolerance(&self) -> Tolerance {
        match self.allowance {
            Allowance::Tolerance(tolerance) => tolerance,
            Allowance::Drift(_) | Allowance::Everything { .. } | Allowance::Digest(_) => Tolerance::current(),
        }
    }

    /// Compares two floats; `half` says whether they have the digits of `f32`.
    #[inline]
    fn float(&mut self, expected: f64, actual: f64, half: bool, shown: [&dyn Debug; 2]) {
        match &mut self.allowance {
            Allowance::Tolerance(tolerance) => {
                let tolerance = if half { tolerance.widened_to_f32() } else { *tolerance };
                if !tolerance.allows(expected, actual) {
                    self.mismatch(shown[0], shown[1]);
                }
            }
            Allowance::Drift(size) => {
                if let Some((distance, allowed)) = drift::excess(expected, actual, *size, half) {
                    let off = format!("{:?}, off by {distance:.1e}, where {allowed:.1e} is allowed", shown[1]);
                    self.mismatch(shown[0], Words(&off));
                }
            }
            Allowance::Everything { largest } => *largest = largest.max(expected.abs()),
            Allowance::Digest(digest) => digest.add(expected, half),
        }
    }

    /// Reports that the value compared here differs from the expected one.
    #[cold]
    #[inline(never)]
    pub fn mismatch(&mut self, expected: impl Debug, actual: impl Debug) {
        if self.found.len() < self.limit {
            self.found.push(Mismatch {
                path: String::new(),
                expected: format!("{expected:?}"),
                actual: format!("{actual:?}"),
            });
        }
    }

    /// Compares one field; the path of what it reports starts with `.name`.
    pub fn field<T: Compare + ?Sized>(&mut self, name: &str, expected: &T, actual: &T) {
        let before = self.found.len();
        expected.compare(actual, self);
        if self.found.len() > before {
            self.prefix(before, &format!(".{name}"));
        }
    }

    /// Compares the derivatives that a number carries. They are rounded, even where the number itself is exact.
    pub(crate) fn derivatives(&mut self, compare: impl FnOnce(&mut Report)) {
        let rounded = std::mem::replace(&mut self.rounded, true);
        compare(self);
        self.rounded = rounded;
    }

    /// Compares two numbers of an exact type, which are these as floats.
    pub(crate) fn exact<T: PartialEq + Debug>(&mut self, expected: &T, actual: &T, floats: [f64; 2]) {
        match self.allowance {
            Allowance::Digest(_) => self.float(floats[0], floats[1], false, [expected, actual]),
            Allowance::Drift(_) if self.rounded => self.float(floats[0], floats[1], false, [expected, actual]),
            _ if expected != actual => self.mismatch(expected, actual),
            _ => {}
        }
    }

    /// Compares one element; the path of what it reports starts with `[index]`.
    pub fn element<T: Compare + ?Sized>(&mut self, index: impl Debug, expected: &T, actual: &T) {
        let before = self.found.len();
        expected.compare(actual, self);
        if self.found.len() > before {
            self.prefix(before, &format!("[{index:?}]"));
        }
    }

    // A path is built from its end on the way out, so that a comparison that passes pays nothing
    // for paths.
    #[cold]
    fn prefix(&mut self, before: usize, step: &str) {
        for mismatch in &mut self.found[before..] {
            mismatch.path.insert_str(0, step);
        }
    }
}

/// Shows text without the quotes of its `Debug`, for mismatches that are no values.
pub(crate) struct Words<'a>(pub(crate) &'a str);

impl Debug for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

macro_rules! compare_exactly {
    ($($type:ty $(: $drift:ident!())?),* $(,)?) => {$(
        impl Compare for $type {
            #[inline]
            fn compare(&self, actual: &Self, report: &mut Report) {
                if self != actual {
                    report.mismatch(self, actual);
                }
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

            $($drift!();)?
        }
    )*};
}

macro_rules! compare_integers {
    ($($type:ty),*) => {$(
        compare_exactly!($type: drift_by_value!(), NonZero<$type>);
    )*};
}

compare_integers!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
compare_exactly!(bool: drift_by_value!(), char: drift_by_value!(), str, String, (), std::cmp::Ordering, std::ops::RangeFull);

impl Compare for f64 {
    #[inline]
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.float(*self, *actual, false, [self, actual]);
    }

    #[inline(always)]
    fn magnitude(&self) -> f64 {
        self.abs()
    }

    #[inline(always)]
    fn drifts(&self, actual: &Self, scale: f64) -> bool {
        drift::drifts(*self, *actual, scale)
    }

    #[inline(always)]
    fn apart(&self, actual: &Self) -> Apart {
        Apart::by((self - actual).abs())
    }

    #[inline(always)]
    fn largest(all: &[f64]) -> f64 {
        rows::of_f64::largest(all)
    }

    #[inline(always)]
    fn any_drifts(all: &[f64], actual: &[f64], scale: f64) -> bool {
        rows::of_f64::any_far(all, actual) && drift::any_drifts(all, actual, scale)
    }

    #[inline(always)]
    fn any_drifts_from(&self, actual: &[f64], scale: f64) -> bool {
        rows::of_f64::any_far_from(*self, actual) && drift::any_drifts_from(*self, actual, scale)
    }

    #[inline(always)]
    fn drift(&self, actual: &Self, scale: f64) -> Option<Mismatch> {
        drift_of_values(*self, *actual, drift::scale_for(*self, scale))
    }
}

impl Compare for f32 {
    #[inline]
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.float((*self).into(), (*actual).into(), true, [self, actual]);
    }

    #[inline(always)]
    fn magnitude(&self) -> f64 {
        self.abs().into()
    }

    #[inline(always)]
    fn drifts(&self, actual: &Self, scale: f64) -> bool {
        drift::drifts_f32(*self, *actual, scale)
    }

    #[inline(always)]
    fn apart(&self, actual: &Self) -> Apart {
        Apart::by(drift::distance_of_f32(*self, *actual))
    }

    #[inline(always)]
    fn drift(&self, actual: &Self, scale: f64) -> Option<Mismatch> {
        drift_of_values(*self, *actual, drift::scale_for((*self).into(), scale))
    }
}

impl<T: Compare> Compare for Wrapping<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        self.0.compare(&actual.0, report);
    }
}

impl<T: Compare> Compare for Saturating<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        self.0.compare(&actual.0, report);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same<T: Compare>(expected: T, actual: T) -> bool {
        mismatches(&expected, &actual).is_empty()
    }

    #[test]
    fn exact_types_compare_bit_by_bit() {
        assert!(same(7_u8, 7) && !same(7_u8, 8));
        assert!(same(true, true) && !same(true, false));
        assert!(same('a', 'a') && !same('a', 'b'));
        assert!(same("a".to_string(), "a".to_string()) && !same("a", "b"));
        assert!(same(Wrapping(3), Wrapping(3)) && !same(Saturating(3), Saturating(4)));
    }

    #[test]
    fn nan_never_passes() {
        for other in [0.0, 1.0, f64::INFINITY, f64::NAN] {
            assert!(!same(f64::NAN, other) && !same(other, f64::NAN));
            assert!(!same(f32::NAN, other as f32) && !same(other as f32, f32::NAN));
        }
    }

    #[test]
    fn f32_is_compared_with_its_own_precision() {
        assert!(same(1.0_f32, 1.0001) && !same(1.0_f32, 1.001));
        assert!(!same(1.0_f64, 1.0001));
    }

    #[test]
    fn the_first_mismatch_is_all_that_is_described() {
        let first = first_mismatch(&[[0, 0], [0, 0]], &[[0, 1], [2, 3]]).unwrap();
        assert_eq!(first.to_string(), "[0][1]: expected 0, found 1");
    }
}
