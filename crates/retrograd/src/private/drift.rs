//! What a backward run asks of the variables that it restores, for any type: `keep!`, `magnitude!` and `check_drift!`.
//!
//! As in `same`, the choice is made where a macro is expanded, by method lookup: a type that implements [`Compare`] is compared by
//! it, sequences of one element type element by element, an `Active` type and sequences of one number by number, and what has `==`
//! with that. Other
//! types are not compared.

use super::same::{Elements, Pair};
use crate::active::Active;
use crate::check::{Compare, Mismatch};
use crate::error::ErrorKind;
use crate::site::Site;

/// Whether backward runs compare. `scripts/drift-overhead` compiles programs without, to count what that costs.
pub const COMPARED: bool = cfg!(not(retrograd_unchecked_drift));

/// A variable that is asked about.
#[derive(Debug)]
pub struct Asked<'a, T: ?Sized>(pub &'a T);

/// The variable as it is now, where it can be copied.
pub trait KeepByClone {
    /// The type of the variable.
    type Kept;
    /// The copy.
    fn keep(&self) -> Option<Self::Kept>;
}

impl<T: Clone> KeepByClone for &Asked<'_, T> {
    type Kept = T;
    #[inline(always)]
    fn keep(&self) -> Option<T> {
        Some(self.0.clone())
    }
}

/// The second choice: nothing is kept.
pub trait KeepNothing {
    /// The type of the variable.
    type Kept;
    /// No copy.
    fn keep(&self) -> Option<Self::Kept>;
}

impl<T> KeepNothing for Asked<'_, T> {
    type Kept = T;
    #[inline(always)]
    fn keep(&self) -> Option<T> {
        None
    }
}

/// The largest magnitude in a variable, by `Compare`.
pub trait MagnitudeByCompare {
    /// It.
    fn magnitude(&self) -> f64;
}

impl<T: Compare + ?Sized> MagnitudeByCompare for &&Asked<'_, T> {
    #[inline(always)]
    fn magnitude(&self) -> f64 {
        self.0.magnitude()
    }
}

/// The second choice: number by number.
pub trait MagnitudeByNumbers {
    /// The largest magnitude in a variable.
    fn magnitude(&self) -> f64;
}

impl<T: Active<Number: Compare> + ?Sized> MagnitudeByNumbers for &Asked<'_, T> {
    #[inline]
    fn magnitude(&self) -> f64 {
        let mut largest = 0.0;
        self.0.visit(&mut |number| largest = f64::max(largest, number.magnitude()));
        largest
    }
}

/// The last choice: exact types have none.
pub trait NoMagnitude {
    /// Zero.
    fn magnitude(&self) -> f64;
}

impl<T: ?Sized> NoMagnitude for Asked<'_, T> {
    #[inline(always)]
    fn magnitude(&self) -> f64 {
        0.0
    }
}

/// The first choice of `check_drift!`: one type with `Compare`.
pub trait DriftByCompare {
    /// Raises `Drift` for `variable` if it has not come back.
    fn check_drift(&self, site: &Site, variable: &str, scale: f64);
}

impl<T: Compare + ?Sized> DriftByCompare for &&&&&Pair<'_, T, T> {
    #[inline(always)]
    fn check_drift(&self, site: &Site, variable: &str, scale: f64) {
        if self.expected.drifts(self.actual, scale) {
            compared(site, variable, self.expected, self.actual, scale);
        }
    }
}

/// The second choice: sequences of one element type with `Compare`.
pub trait DriftByElements {
    /// Raises `Drift` for `variable` if it has not come back.
    fn check_drift(&self, site: &Site, variable: &str, scale: f64);
}

impl<T, E, A> DriftByElements for &&&&Pair<'_, E, A>
where
    T: Compare,
    E: Elements<Element = T> + ?Sized,
    A: Elements<Element = T> + ?Sized,
{
    #[inline(always)]
    fn check_drift(&self, site: &Site, variable: &str, scale: f64) {
        let (expected, actual) = (self.expected.elements(), self.actual.elements());
        if expected.drifts(actual, scale) {
            compared(site, variable, expected, actual, scale);
        }
    }
}

/// The third choice: number by number.
pub trait DriftByNumbers {
    /// Raises `Drift` for `variable` if it has not come back.
    fn check_drift(&self, site: &Site, variable: &str, scale: f64);
}

impl<T: Active<Number: Compare> + ?Sized> DriftByNumbers for &&&Pair<'_, T, T> {
    #[inline]
    fn check_drift(&self, site: &Site, variable: &str, scale: f64) {
        let (expected, actual) = (self.expected.flatten(), self.actual.flatten());
        if expected.drifts(&actual, scale) {
            compared(site, variable, &expected, &actual, scale);
        }
    }
}

/// The fourth choice: sequences of one element type, number by number.
pub trait DriftByNumbersOfElements {
    /// Raises `Drift` for `variable` if it has not come back.
    fn check_drift(&self, site: &Site, variable: &str, scale: f64);
}

impl<T, E, A> DriftByNumbersOfElements for &&Pair<'_, E, A>
where
    T: Active<Number: Compare>,
    E: Elements<Element = T> + ?Sized,
    A: Elements<Element = T> + ?Sized,
{
    #[inline]
    fn check_drift(&self, site: &Site, variable: &str, scale: f64) {
        let (expected, actual) = (self.expected.elements(), self.actual.elements());
        let same = expected.len() == actual.len();
        if !same {
            compared(site, &format!("{variable}.len()"), &expected.len(), &actual.len(), scale);
        }
        for (i, (expected, actual)) in expected.iter().zip(actual).enumerate() {
            let (expected, actual) = (expected.flatten(), actual.flatten());
            if expected.drifts(&actual, scale) {
                compared(site, &format!("{variable}[{i}]"), &expected, &actual, scale);
            }
        }
    }
}

/// The fifth choice: `==`.
pub trait DriftByEquality {
    /// Raises `Drift` for `variable` if it has not come back.
    fn check_drift(&self, site: &Site, variable: &str, scale: f64);
}

impl<E: ?Sized, A: PartialEq<E> + ?Sized> DriftByEquality for &Pair<'_, E, A> {
    #[inline(always)]
    fn check_drift(&self, site: &Site, variable: &str, _: f64) {
        if self.actual != self.expected {
            unequal(site, variable);
        }
    }
}

/// The last choice: what cannot be compared is not.
pub trait DriftUnknown {
    /// Nothing.
    fn check_drift(&self, site: &Site, variable: &str, scale: f64);
}

impl<E: ?Sized, A: ?Sized> DriftUnknown for Pair<'_, E, A> {
    #[inline(always)]
    fn check_drift(&self, _: &Site, _: &str, _: f64) {}
}

/// Raises `Drift` unless a wider tolerance is in force, or the variable was that large where its life began.
#[inline(always)]
fn compared<T: Compare + ?Sized>(site: &Site, variable: &str, expected: &T, actual: &T, scale: f64) {
    if let Some(mismatch) = expected.drift(actual, scale) {
        differs(site, variable, mismatch);
    }
}

#[cold]
#[inline(never)]
fn differs(site: &Site, variable: &str, Mismatch { path, expected, actual }: Mismatch) -> ! {
    site.fail(ErrorKind::Drift, format!("{variable}{path}"), expected, actual);
}

#[cold]
#[inline(never)]
fn unequal(site: &Site, variable: &str) -> ! {
    site.fail(ErrorKind::Drift, variable, "what it was", "something else")
}

/// Each element of a sequence, and what all of them were.
#[derive(Debug)]
pub struct Repeated<'a, T, A: ?Sized> {
    value: &'a T,
    actual: &'a A,
}

impl<'a, T, A: ?Sized> Repeated<'a, T, A> {
    /// All of `actual` were `value`.
    #[inline(always)]
    pub fn new(value: &'a T, actual: &'a A) -> Self {
        Repeated { value, actual }
    }
}

/// The first choice of `check_drift_of_each!`: elements with `Compare`.
pub trait EachByCompare {
    /// Raises `Drift` for `variable` if one of its elements has not come back.
    fn check_drift(&self, site: &Site, variable: &str, scale: f64);
}

impl<T: Compare, A: Elements<Element = T> + ?Sized> EachByCompare for &&&Repeated<'_, T, A> {
    #[inline(always)]
    fn check_drift(&self, site: &Site, variable: &str, scale: f64) {
        let elements = self.actual.elements();
        if elements.iter().fold(false, |any, actual| any | self.value.drifts(actual, scale)) {
            for (i, actual) in elements.iter().enumerate() {
                compared(site, &format!("{variable}[{i}]"), self.value, actual, scale);
            }
        }
    }
}

/// The second choice: elements number by number.
pub trait EachByNumbers {
    /// Raises `Drift` for `variable` if one of its elements has not come back.
    fn check_drift(&self, site: &Site, variable: &str, scale: f64);
}

impl<T: Active<Number: Compare>, A: Elements<Element = T> + ?Sized> EachByNumbers for &&Repeated<'_, T, A> {
    #[inline]
    fn check_drift(&self, site: &Site, variable: &str, scale: f64) {
        let expected = self.value.flatten();
        for (i, actual) in self.actual.elements().iter().enumerate() {
            let actual = actual.flatten();
            if expected.drifts(&actual, scale) {
                compared(site, &format!("{variable}[{i}]"), &expected, &actual, scale);
            }
        }
    }
}

/// The third choice: elements with `==`.
pub trait EachByEquality {
    /// Raises `Drift` for `variable` if one of its elements has not come back.
    fn check_drift(&self, site: &Site, variable: &str, scale: f64);
}

impl<T: PartialEq, A: Elements<Element = T> + ?Sized> EachByEquality for &Repeated<'_, T, A> {
    #[inline(always)]
    fn check_drift(&self, site: &Site, variable: &str, _: f64) {
        if self.actual.elements().iter().any(|actual| actual != self.value) {
            unequal(site, variable);
        }
    }
}

/// The last choice: what cannot be compared is not.
pub trait EachUnknown {
    /// Nothing.
    fn check_drift(&self, site: &Site, variable: &str, scale: f64);
}

impl<T, A: ?Sized> EachUnknown for Repeated<'_, T, A> {
    #[inline(always)]
    fn check_drift(&self, _: &Site, _: &str, _: f64) {}
}

/// `keep!(&x)`: a copy of `x`, if there can be one.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_keep {
    ($variable:expr) => {{
        #[allow(unused_imports, reason = "the type of the variable decides which of them is used")]
        use $crate::private::{KeepByClone as _, KeepNothing as _};
        if $crate::private::COMPARED {
            (&&$crate::private::Asked($variable)).keep()
        } else {
            ::core::option::Option::None
        }
    }};
}
pub use __retrograd_keep as keep;

/// `magnitude!(&x)`: the largest magnitude of a float in `x`.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_magnitude {
    ($variable:expr) => {{
        #[allow(unused_imports, reason = "the type of the variable decides which of them is used")]
        use $crate::private::{MagnitudeByCompare as _, MagnitudeByNumbers as _, NoMagnitude as _};
        if $crate::private::COMPARED { (&&&$crate::private::Asked($variable)).magnitude() } else { 0.0 }
    }};
}
pub use __retrograd_magnitude as magnitude;

/// `check_drift!(site, "x", &expected, &actual, scale)` raises `Drift` if a variable as large as `scale` has not come back.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_check_drift {
    ($site:expr, $variable:expr, $expected:expr, $actual:expr, $scale:expr) => {{
        #[allow(unused_imports, reason = "the type of the variable decides which of them is used")]
        use $crate::private::{
            DriftByCompare as _, DriftByElements as _, DriftByEquality as _, DriftByNumbers as _,
            DriftByNumbersOfElements as _, DriftUnknown as _,
        };
        if $crate::private::COMPARED {
            (&&&&&&$crate::private::Pair::new($expected, $actual)).check_drift($site, $variable, $scale);
        }
    }};
}
pub use __retrograd_check_drift as check_drift;

/// The same for a sequence whose elements were all `expected`.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_check_drift_of_each {
    ($site:expr, $variable:expr, $expected:expr, $actual:expr, $scale:expr) => {{
        #[allow(unused_imports, reason = "the type of the elements decides which of them is used")]
        use $crate::private::{EachByCompare as _, EachByEquality as _, EachByNumbers as _, EachUnknown as _};
        if $crate::private::COMPARED {
            (&&&&$crate::private::Repeated::new($expected, $actual)).check_drift($site, $variable, $scale);
        }
    }};
}
pub use __retrograd_check_drift_of_each as check_drift_of_each;

#[cfg(test)]
mod tests {
    use super::{check_drift, check_drift_of_each, keep, magnitude};
    use crate::{Active, ErrorKind, Real, attempt, ops::Site};

    const SITE: Site = Site { function: "f", file: "f.rs", line: 1, column: 2, statement: "let mut x = e;" };

    /// What has not come back, with the values, if anything has not.
    macro_rules! drift {
        ($expected:expr, $actual:expr, $scale:expr) => {
            attempt(|| check_drift!(&SITE, "x", $expected, $actual, $scale)).err().map(|error| {
                assert_eq!(error.kind, ErrorKind::Drift);
                format!("{} {} {}", error.variable, error.expected, error.actual)
            })
        };
    }

    #[test]
    fn types_with_compare_use_it() {
        assert_eq!(drift!(&1.0, &(1.0 + 1e-9), 0.0), None);
        assert_eq!(
            drift!(&(1.0, vec![2.0]), &(1.0, vec![2.5]), 0.0).unwrap(),
            "x.1[0] 2.0 2.5, off by 5.0e-1, where 2.5e-6 is allowed"
        );
        assert_eq!(drift!(&7_u64, &8, 0.0).unwrap(), "x 7 8");
        assert_eq!(drift!(&[0.0, 1.0][..], &[0.0][..], 0.0).unwrap(), "x.len() 2 1");
        assert_eq!(drift!(&vec![0.0, 1e9], &[1e-3, 1e9], 0.0), None);
    }

    #[test]
    fn what_a_variable_was_as_large_as_counts() {
        assert_eq!(drift!(&0.0, &1e-5, 1e6), None);
        assert!(drift!(&0.0, &1e-5, 1.0).is_some());
    }

    #[test]
    fn structs_compare_their_numbers_and_others_by_equality_or_not() {
        #[derive(Active, Clone, PartialEq)]
        struct Point<T> {
            x: T,
            y: T,
        }
        let (a, b) = (Point { x: 1.0, y: 2.0 }, Point { x: 1.0, y: 3.0 });
        assert_eq!(drift!(&a, &a.clone(), 0.0), None);
        assert_eq!(drift!(&a, &b, 0.0).unwrap(), "x[1] 2.0 3.0, off by 1.0e0, where 3.0e-6 is allowed");
        assert_eq!(magnitude!(&b), 3.0);

        let many = |y: f64| vec![Point { x: 1.0, y }, Point { x: 1.0, y: 2.0 }];
        assert_eq!(drift!(&many(2.0)[..], &many(2.0 + 1e-12), 0.0), None);
        assert!(drift!(&many(2.0)[..], &many(3.0), 0.0).unwrap().starts_with("x[0][1] 2.0 3.0"));
        let each = |y: f64| attempt(|| check_drift_of_each!(&SITE, "x", &many(2.0)[1], &many(y), 0.0));
        assert!(each(2.0 + 1e-12).is_ok() && each(3.0).is_err());

        #[derive(PartialEq)]
        struct Spin(bool);
        assert_eq!(drift!(&Spin(true), &Spin(true), 0.0), None);
        assert!(drift!(&Spin(true), &Spin(false), 0.0).is_some());
        struct Opaque;
        assert_eq!(drift!(&Opaque, &Opaque, 0.0), None);
        assert!(keep!(&Opaque).is_none() && keep!(&1.0) == Some(1.0));
        assert_eq!(magnitude!(&Opaque), 0.0);
    }

    #[test]
    fn generic_programs_compare_what_their_bounds_allow() {
        fn real<T: Real>(x: T, y: T, v: Vec<T>) -> [bool; 3] {
            let each = attempt(|| check_drift_of_each!(&SITE, "v", &x, &v, 0.0));
            [drift!(&x, &y, magnitude!(&x)).is_none(), drift!(&[x], &v, 0.0).is_none(), each.is_ok()]
        }
        assert_eq!(real(1.0, 1.0, vec![1.0]), [true; 3]);
        assert_eq!(real(1.0, 2.0, vec![2.0]), [false; 3]);
    }
}
