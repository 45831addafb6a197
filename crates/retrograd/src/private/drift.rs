//! What a backward run asks of the variables that it restores, for any type: `keep!`, `magnitude!` and `check_drift!`.
//!
//! As in `same`, the choice is made where a macro is expanded, by method lookup: a type that implements [`Compare`] is compared by
//! it, sequences of one element type element by element, an `Active` type and sequences of one number by number, and what has `==`
//! with that. Other
//! types are not compared.

use std::marker::PhantomData;

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

/// The variable that is compared, by name.
#[derive(Clone, Copy, Debug)]
pub struct Local<'a> {
    name: &'a str,
    /// The number of the iteration in front of which it was what is expected.
    iteration: Option<usize>,
}

impl<'a> Local<'a> {
    /// Where its life began.
    #[inline(always)]
    pub const fn at_let(name: &'a str) -> Local<'a> {
        Local { name, iteration: None }
    }

    /// In front of an iteration of a loop.
    #[inline(always)]
    pub fn in_front_of(name: &'a str, iteration: usize) -> Local<'a> {
        Local { name, iteration: Some(iteration) }
    }
}

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

/// Raises `Drift` unless a wider tolerance is in force, or the variable was so large where its life began.
#[inline(always)]
fn compared<T: Compare + ?Sized>(site: &Site, variable: &Local<'_>, expected: &T, actual: &T, scale: f64) {
    compared_at(site, variable, "", expected, actual, scale);
}

#[inline(always)]
fn compared_at<T>(site: &Site, variable: &Local<'_>, path: &str, expected: &T, actual: &T, scale: f64)
where
    T: Compare + ?Sized,
{
    if let Some(mismatch) = expected.drift(actual, scale) {
        differs(site, variable, path, mismatch);
    }
}

#[cold]
#[inline(never)]
fn differs(site: &Site, variable: &Local<'_>, outer: &str, Mismatch { path, expected, actual }: Mismatch) -> ! {
    let Local { name, iteration } = *variable;
    let at = iteration.map(|iteration| format!(", in front of iteration {iteration}")).unwrap_or_default();
    site.fail(ErrorKind::Drift, format!("{name}{outer}{path}"), expected, format!("{actual}{at}"));
}

#[cold]
#[inline(never)]
fn unequal(site: &Site, variable: &Local<'_>) -> ! {
    site.fail(ErrorKind::Drift, variable.name, "what it was", "something else")
}

/// What is compared itself: no sequence.
#[derive(Debug)]
pub struct Leaf;

/// Sequences of what is compared in the way `D`.
#[derive(Debug)]
pub struct Inside<D>(D);

/// A sequence, or sequences in a sequence, at the bottom of which there are values of the type `T`.
pub trait Uniform<T, D>: Sized {
    /// The values of several such sequences, if they stand in a row.
    fn leaves(all: &[Self]) -> Option<&[T]>;
    /// The first of the values, if there is one.
    fn first_leaf(&self) -> Option<&T>;
    /// Calls `visit` for all values, with their path.
    fn visit_leaves(&self, path: &str, visit: &mut dyn FnMut(&str, &T));
    /// Raises `Drift` for `variable` if one of the values is not `value`, by the tolerance in force.
    fn compare_each(&self, site: &Site, variable: &Local<'_>, value: &T, scale: f64)
    where
        T: Compare;
    /// Whether `wrong` says so for some of the values, which it is given in rows.
    fn any_row(&self, wrong: &impl Fn(&[T]) -> bool) -> bool;
}

impl<T> Uniform<T, Leaf> for T {
    #[inline(always)]
    fn leaves(all: &[T]) -> Option<&[T]> {
        Some(all)
    }

    #[inline(always)]
    fn first_leaf(&self) -> Option<&T> {
        Some(self)
    }

    fn visit_leaves(&self, path: &str, visit: &mut dyn FnMut(&str, &T)) {
        visit(path, self);
    }

    #[inline(always)]
    fn compare_each(&self, site: &Site, variable: &Local<'_>, value: &T, scale: f64)
    where
        T: Compare,
    {
        compared(site, variable, value, self, scale);
    }

    #[inline(always)]
    fn any_row(&self, wrong: &impl Fn(&[T]) -> bool) -> bool {
        wrong(std::slice::from_ref(self))
    }
}

#[inline(always)]
fn any_inside<T, D, S: Uniform<T, D>>(all: &[S], wrong: &impl Fn(&[T]) -> bool) -> bool {
    match S::leaves(all) {
        Some(leaves) => wrong(leaves),
        None => all.iter().any(|one| one.any_row(wrong)),
    }
}

fn visit_inside<T, D, S: Uniform<T, D>>(all: &[S], path: &str, visit: &mut dyn FnMut(&str, &T)) {
    all.iter().enumerate().for_each(|(i, one)| one.visit_leaves(&format!("{path}[{i}]"), visit));
}

impl<T, D, S: Uniform<T, D>, const N: usize> Uniform<T, Inside<D>> for [S; N] {
    #[inline(always)]
    fn leaves(all: &[Self]) -> Option<&[T]> {
        S::leaves(all.as_flattened())
    }

    #[inline(always)]
    fn first_leaf(&self) -> Option<&T> {
        self.iter().find_map(S::first_leaf)
    }

    fn visit_leaves(&self, path: &str, visit: &mut dyn FnMut(&str, &T)) {
        visit_inside(self, path, visit);
    }

    #[inline(always)]
    fn compare_each(&self, site: &Site, variable: &Local<'_>, value: &T, scale: f64)
    where
        T: Compare,
    {
        each_compared(site, variable, value, &self[..], scale);
    }

    #[inline(always)]
    fn any_row(&self, wrong: &impl Fn(&[T]) -> bool) -> bool {
        any_inside(self, wrong)
    }
}

impl<T, D, S: Uniform<T, D>> Uniform<T, Inside<D>> for Vec<S> {
    #[inline(always)]
    fn leaves(_: &[Self]) -> Option<&[T]> {
        None
    }

    #[inline(always)]
    fn first_leaf(&self) -> Option<&T> {
        self.iter().find_map(S::first_leaf)
    }

    fn visit_leaves(&self, path: &str, visit: &mut dyn FnMut(&str, &T)) {
        visit_inside(self, path, visit);
    }

    #[inline(always)]
    fn compare_each(&self, site: &Site, variable: &Local<'_>, value: &T, scale: f64)
    where
        T: Compare,
    {
        each_compared(site, variable, value, &self[..], scale);
    }

    #[inline(always)]
    fn any_row(&self, wrong: &impl Fn(&[T]) -> bool) -> bool {
        any_inside(self, wrong)
    }
}

/// The values of a sequence, and what all of them were.
#[derive(Debug)]
pub struct Repeated<'a, T, A, D> {
    value: &'a T,
    actual: &'a A,
    depth: PhantomData<D>,
}

impl<'a, T, A, D> Repeated<'a, T, A, D> {
    /// All in `actual` were `value`.
    #[inline(always)]
    pub fn new(value: &'a T, actual: &'a A) -> Self {
        Repeated { value, actual, depth: PhantomData }
    }
}

/// The first choice of `check_drift_of_each!`: values with `Compare`.
pub trait EachByCompare {
    /// Raises `Drift` for `variable` if one of its values has not come back.
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64);
}

impl<T: Compare, D, A: Uniform<T, D>> EachByCompare for &&&Repeated<'_, T, A, D> {
    #[inline(always)]
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64) {
        if self.actual.any_row(&|row| self.value.any_drifts_from(row, scale)) {
            self.actual.compare_each(site, variable, self.value, scale);
        }
    }
}

// It is given a slice, so that nobody is told the address of a vector: then that can stay in registers.
#[cold]
#[inline(never)]
fn each_compared<T, D, S>(site: &Site, variable: &Local<'_>, value: &T, actual: &[S], scale: f64)
where
    T: Compare,
    S: Uniform<T, D>,
{
    visit_inside(actual, "", &mut |path, actual| compared_at(site, variable, path, value, actual, scale));
}

/// The second choice: values number by number.
pub trait EachByNumbers {
    /// Raises `Drift` for `variable` if one of its values has not come back.
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64);
}

impl<T: Active<Number: Compare>, D, A: Uniform<T, D>> EachByNumbers for &&Repeated<'_, T, A, D> {
    #[inline]
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64) {
        let expected = self.value.flatten();
        self.actual.visit_leaves("", &mut |path, actual| {
            let actual = actual.flatten();
            if expected.drifts(&actual, scale) {
                compared_at(site, variable, path, &expected, &actual, scale);
            }
        });
    }
}

/// The third choice: values with `==`.
pub trait EachByEquality {
    /// Raises `Drift` for `variable` if one of its values has not come back.
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64);
}

impl<T: PartialEq, D, A: Uniform<T, D>> EachByEquality for &Repeated<'_, T, A, D> {
    #[inline(always)]
    fn check_drift(&self, site: &Site, variable: &Local<'_>, _: f64) {
        if self.actual.any_row(&|row| row.iter().any(|actual| actual != self.value)) {
            unequal(site, variable);
        }
    }
}

/// The last choice: what cannot be compared is not.
pub trait EachUnknown {
    /// Nothing.
    fn check_drift(&self, site: &Site, variable: &Local<'_>, scale: f64);
}

impl<T, A, D> EachUnknown for Repeated<'_, T, A, D> {
    #[inline(always)]
    fn check_drift(&self, _: &Site, _: &Local<'_>, _: f64) {}
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

/// The first of the values at the bottom of sequences, as deep as `D` says, if there is one.
#[inline(always)]
pub fn first_leaf<D, T, A: Uniform<T, D>>(all: &A) -> Option<&T> {
    all.first_leaf()
}

/// `keep_one!(depth, &x)`: a copy of a value at the bottom of the sequence `x`, or of sequences in it, if there is one and there can be one.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_keep_one {
    ($depth:ty, $variable:expr) => {
        match $crate::private::first_leaf::<$depth, _, _>($variable) {
            ::core::option::Option::Some(leaf) => $crate::private::keep!(leaf),
            ::core::option::Option::None => ::core::option::Option::None,
        }
    };
}
pub use __retrograd_keep_one as keep_one;

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

/// The same for a sequence, or sequences in one, at the bottom of which all was `expected`; `depth` says how deep that is.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_check_drift_of_each {
    ($site:expr, $variable:expr, $depth:ty, $expected:expr, $actual:expr, $scale:expr) => {{
        #[allow(unused_imports, reason = "the type of the elements decides which of them is used")]
        use $crate::private::{EachByCompare as _, EachByEquality as _, EachByNumbers as _, EachUnknown as _};
        if $crate::private::COMPARED {
            (&&&&$crate::private::Repeated::<_, _, $depth>::new($expected, $actual))
                .check_drift($site, $variable, $scale);
        }
    }};
}
pub use __retrograd_check_drift_of_each as check_drift_of_each;

#[cfg(test)]
mod tests {
    use super::{Inside, Leaf, Local, check_drift, check_drift_of_each, keep, magnitude};
    use crate::{Active, ErrorKind, Real, attempt, ops::Site};

    const SITE: Site = Site { function: "f", file: "f.rs", line: 1, column: 2, statement: "let mut x = e;" };

    /// What has not come back, with the values, if anything has not.
    macro_rules! drift {
        ($expected:expr, $actual:expr, $scale:expr) => {
            attempt(|| check_drift!(&SITE, &Local::at_let("x"), $expected, $actual, $scale)).err().map(|error| {
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
        let each = |y: f64| {
            attempt(|| check_drift_of_each!(&SITE, &Local::at_let("x"), Inside<Leaf>, &many(2.0)[1], &many(y), 0.0))
        };
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
    fn sequences_in_sequences_were_all_the_same() {
        let each = |x: [Vec<[f64; 3]>; 2]| {
            let checked = attempt(|| {
                check_drift_of_each!(&SITE, &Local::at_let("x"), Inside<Inside<Inside<Leaf>>>, &0.5, &x, 0.0)
            });
            checked.err().map(|error| error.variable)
        };
        let mut x = [vec![[0.5; 3]; 4], vec![[0.5; 3]; 7]];
        assert_eq!(each(x.clone()), None);
        x[1][5][2] += 1e-5;
        assert_eq!(each(x).unwrap(), "x[1][5][2]".into());
        let flags =
            attempt(|| check_drift_of_each!(&SITE, &Local::at_let("x"), Inside<Leaf>, &true, &[true, false], 0.0));
        assert_eq!(flags.unwrap_err().variable, "x[1]".into());
    }

    #[test]
    fn generic_programs_compare_what_their_bounds_allow() {
        fn real<T: Real>(x: T, y: T, v: Vec<T>) -> [bool; 3] {
            let each = attempt(|| check_drift_of_each!(&SITE, &Local::at_let("v"), Inside<Leaf>, &x, &v, 0.0));
            [drift!(&x, &y, magnitude!(&x)).is_none(), drift!(&[x], &v, 0.0).is_none(), each.is_ok()]
        }
        assert_eq!(real(1.0, 1.0, vec![1.0]), [true; 3]);
        assert_eq!(real(1.0, 2.0, vec![2.0]), [false; 3]);
    }
}
