//! A variable and what it was: `check_drift!`.

use super::super::same::{Elements, Pair};
use super::{Local, compared, unequal};
use crate::active::Active;
use crate::check::Compare;
use crate::site::Site;

/// The first choice of `check_drift!`: one type with `Compare`.
pub trait DriftByCompare {
    /// Raises `Drift` for `variable` if it has not come back.
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64);
}

impl<T: Compare + ?Sized> DriftByCompare for &&&&&Pair<'_, T, T> {
    #[inline(always)]
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64) {
        if self.expected.drifts(self.actual, scale) {
            compared(site, variable, self.expected, self.actual, scale);
        }
    }
}

/// The second choice: sequences of one element type with `Compare`.
pub trait DriftByElements {
    /// Raises `Drift` for `variable` if it has not come back.
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64);
}

impl<T, E, A> DriftByElements for &&&&Pair<'_, E, A>
where
    T: Compare,
    E: Elements<Element = T> + ?Sized,
    A: Elements<Element = T> + ?Sized,
{
    #[inline(always)]
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64) {
        let (expected, actual) = (self.expected.elements(), self.actual.elements());
        if expected.drifts(actual, scale) {
            compared(site, variable, expected, actual, scale);
        }
    }
}

/// The third choice: number by number.
pub trait DriftByNumbers {
    /// Raises `Drift` for `variable` if it has not come back.
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64);
}

impl<T: Active<Number: Compare> + ?Sized> DriftByNumbers for &&&Pair<'_, T, T> {
    #[inline]
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64) {
        let (expected, actual) = (self.expected.flatten(), self.actual.flatten());
        if expected.drifts(&actual, scale) {
            compared(site, variable, &expected, &actual, scale);
        }
    }
}

/// The fourth choice: sequences of one element type, number by number.
pub trait DriftByNumbersOfElements {
    /// Raises `Drift` for `variable` if it has not come back.
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64);
}

impl<T, E, A> DriftByNumbersOfElements for &&Pair<'_, E, A>
where
    T: Active<Number: Compare>,
    E: Elements<Element = T> + ?Sized,
    A: Elements<Element = T> + ?Sized,
{
    #[inline]
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64) {
        let (expected, actual) = (self.expected.elements(), self.actual.elements());
        let pairs = || expected.iter().zip(actual);
        if expected.len() != actual.len() || pairs().any(|(e, a)| e.flatten().drifts(&a.flatten(), scale)) {
            let numbers = |all: &[T]| all.iter().map(Active::flatten).collect::<Vec<_>>();
            compared(site, variable, &numbers(expected), &numbers(actual), scale);
        }
    }
}

/// The fifth choice: `==`.
pub trait DriftByEquality {
    /// Raises `Drift` for `variable` if it has not come back.
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64);
}

impl<E: ?Sized, A: PartialEq<E> + ?Sized> DriftByEquality for &Pair<'_, E, A> {
    #[inline(always)]
    fn check_drift(&self, site: &Site, variable: &Local<'_>, _: f64) {
        if self.actual != self.expected {
            unequal(site, variable);
        }
    }
}

/// The last choice: what cannot be compared is not.
pub trait DriftUnknown {
    /// Nothing.
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64);
}

impl<E: ?Sized, A: ?Sized> DriftUnknown for Pair<'_, E, A> {
    #[inline(always)]
    fn check_drift(&self, _: &Site, _: &Local<'_>, _: f64) {}
}

/// `check_drift!(site, &Local::at_let("x"), &expected, &actual, scale)` raises `Drift` if a variable as large as `scale` has not come back.
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
