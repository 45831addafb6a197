//! Sequences, or sequences in sequences, of which all was the same: `check_drift_of_each!` and `keep_one!`.

use std::marker::PhantomData;

use super::{Local, compared, compared_at, unequal};
use crate::active::Active;
use crate::check::Compare;
use crate::site::Site;

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
