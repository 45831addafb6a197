//! The comparison of a variable with the value it should have, for any type that has some comparison:
//! `(&&&Pair::new(expected, actual)).check_same(..)`.
//!
//! The choice is made where that stands, by method lookup. It looks for methods of
//! `&&Pair`, then of `&Pair`, then of `Pair`, so the first of these that applies is taken:
//!
//! 1. both values are of one type that implements [`Compare`];
//! 2. both are sequences of one element type that implements it, such as `Vec<T>` and `&mut [T]`;
//! 3. they can be compared with `==` and shown.

use std::fmt::Debug;

use crate::ErrorKind;
use crate::check::{Compare, Mismatch, first_mismatch};
use crate::site::Site;

/// The value that a variable should have and the one that it has.
#[derive(Debug)]
pub struct Pair<'a, E: ?Sized, A: ?Sized> {
    pub(super) expected: &'a E,
    pub(super) actual: &'a A,
}

impl<'a, E: ?Sized, A: ?Sized> Pair<'a, E, A> {
    /// The two values.
    #[inline(always)]
    pub fn new(expected: &'a E, actual: &'a A) -> Self {
        Pair { expected, actual }
    }
}

/// The first choice: one type with `Compare`.
pub trait SameByCompare {
    /// Raises `kind` for `variable` if the values differ.
    fn check_same(&self, site: &Site, kind: ErrorKind, variable: &str);
}

impl<T: Compare + ?Sized> SameByCompare for &&Pair<'_, T, T> {
    #[inline]
    fn check_same(&self, site: &Site, kind: ErrorKind, variable: &str) {
        if let Some(mismatch) = first_mismatch(self.expected, self.actual) {
            differs(site, kind, variable, mismatch);
        }
    }
}

/// The second choice: sequences of one element type with `Compare`.
pub trait SameByElements {
    /// Raises `kind` for `variable` if the values differ.
    fn check_same(&self, site: &Site, kind: ErrorKind, variable: &str);
}

impl<T, E, A> SameByElements for &Pair<'_, E, A>
where
    T: Compare,
    E: Elements<Element = T> + ?Sized,
    A: Elements<Element = T> + ?Sized,
{
    #[inline]
    fn check_same(&self, site: &Site, kind: ErrorKind, variable: &str) {
        if let Some(mismatch) = first_mismatch(self.expected.elements(), self.actual.elements()) {
            differs(site, kind, variable, mismatch);
        }
    }
}

/// A sequence that can be seen as a slice.
pub trait Elements {
    /// What the sequence consists of.
    type Element;
    /// The sequence as a slice.
    fn elements(&self) -> &[Self::Element];
}

impl<T> Elements for [T] {
    type Element = T;
    fn elements(&self) -> &[T] {
        self
    }
}

impl<T, const N: usize> Elements for [T; N] {
    type Element = T;
    fn elements(&self) -> &[T] {
        self
    }
}

impl<T> Elements for Vec<T> {
    type Element = T;
    fn elements(&self) -> &[T] {
        self
    }
}

macro_rules! elements_behind {
    ($($type:ty),*) => {$(
        impl<S: Elements + ?Sized> Elements for $type {
            type Element = S::Element;
            fn elements(&self) -> &[S::Element] {
                S::elements(self)
            }
        }
    )*};
}

elements_behind!(&S, &mut S, Box<S>);

/// The last choice: `==`. The bound is on the method, so a type without it gets a message of ours.
pub trait SameByEquality<E: ?Sized, A: ?Sized> {
    /// Raises `kind` for `variable` if the values differ.
    fn check_same(&self, site: &Site, kind: ErrorKind, variable: &str)
    where
        A: Equal<E>;
}

impl<E: ?Sized, A: ?Sized> SameByEquality<E, A> for Pair<'_, E, A> {
    #[inline]
    fn check_same(&self, site: &Site, kind: ErrorKind, variable: &str)
    where
        A: Equal<E>,
    {
        if let Some(mismatch) = self.actual.unequal(self.expected) {
            differs(site, kind, variable, mismatch);
        }
    }
}

/// Comparison with `==`, for values that can be shown.
#[diagnostic::on_unimplemented(
    message = "a checked build cannot compare `{Self}` with the `{E}` that it should be",
    note = "derive `PartialEq` and `Debug` for it, or implement `retrograd::check::Compare`"
)]
pub trait Equal<E: ?Sized> {
    /// Both values as text, if they are not equal.
    fn unequal(&self, expected: &E) -> Option<Mismatch>;
}

#[diagnostic::do_not_recommend]
impl<E: Debug + ?Sized, A: PartialEq<E> + Debug + ?Sized> Equal<E> for A {
    #[inline]
    fn unequal(&self, expected: &E) -> Option<Mismatch> {
        (self != expected).then(|| Mismatch {
            path: String::new(),
            expected: format!("{expected:?}"),
            actual: format!("{self:?}"),
        })
    }
}

#[cold]
#[inline(never)]
fn differs(site: &Site, kind: ErrorKind, variable: &str, mismatch: Mismatch) -> ! {
    let variable = format!("{variable}{}", mismatch.path);
    site.fail(kind, variable, mismatch.expected, mismatch.actual)
}

#[cfg(test)]
mod tests {
    use super::{Pair, SameByCompare, SameByElements, SameByEquality};
    use crate::{ErrorKind, Real, attempt, ops::Site};

    const SITE: Site = Site { function: "f", file: "f.rs", line: 1, column: 2, statement: "release!(x == e);" };

    /// The path and the values of the mismatch, if there is one.
    macro_rules! difference {
        ($expected:expr, $actual:expr) => {
            attempt(|| (&&&Pair::new($expected, $actual)).check_same(&SITE, ErrorKind::Released, "x"))
                .err()
                .map(|error| format!("{} {} {}", error.variable, error.expected, error.actual))
                .as_deref()
        };
    }

    #[test]
    fn types_with_compare_use_it() {
        assert_eq!(difference!(&1.0, &(1.0 + 1e-12)), None);
        assert_eq!(difference!(&0, &7_u64), Some("x 0 7"));
        assert_eq!(difference!(&7_u64, &0), Some("x 7 0"));
        assert_eq!(difference!(&(1.0, vec![2.0]), &(1.0, vec![3.0])), Some("x.1[0] 2.0 3.0"));
        assert_eq!(difference!("a", "b"), Some("x \"a\" \"b\""));
    }

    #[test]
    fn sequences_of_different_kinds_compare_by_elements() {
        let mut array = [1.0, 2.0 + 1e-12];
        let slice = &mut array[..];
        assert_eq!(difference!(&vec![1.0, 2.0], &slice), None);
        assert_eq!(difference!(&[1.0, 3.0], &slice), Some("x[1] 3.0 2.000000000001"));
        assert_eq!(difference!(&[1.0], &vec![1.0, 2.0]), Some("x.len() 1 2"));
        assert_eq!(difference!(&&[1.0, 2.0][..], &slice), None);
    }

    #[test]
    fn other_types_compare_with_equality() {
        #[derive(Clone, Debug, PartialEq)]
        struct Spin(bool);
        assert_eq!(difference!(&Spin(true), &Spin(true)), None);
        assert_eq!(difference!(&Spin(true), &Spin(false)), Some("x Spin(true) Spin(false)"));
        assert_eq!(difference!(&[Spin(true)], &vec![Spin(true)]), None);
        assert_eq!(difference!(&"a", &"b".to_string()), Some("x \"a\" \"b\""));
    }

    #[test]
    fn generic_programs_compare_what_their_bounds_allow() {
        fn real<T: Real>(zero: T, x: T, v: Vec<T>, slice: &mut [T]) -> [bool; 4] {
            [
                difference!(&zero, &x).is_none(),
                difference!(&vec![zero], &v).is_none(),
                difference!(&vec![zero], &slice).is_none(),
                difference!(&(zero, [zero]), &(x, [x])).is_none(),
            ]
        }
        assert_eq!(real(0.0, 1e-12, vec![1e-12], &mut [1e-12]), [true; 4]);
        assert_eq!(real(0.0, 1.0, vec![1.0], &mut [1.0]), [false; 4]);

        fn equal<T: PartialEq + std::fmt::Debug>(a: T, b: T) -> bool {
            difference!(&a, &b).is_none()
        }
        assert!(equal(1.0, 1.0) && !equal(1.0, 1.0 + 1e-12));
    }
}
