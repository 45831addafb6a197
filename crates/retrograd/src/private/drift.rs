//! What a backward run asks of the variables that it restores, for any type: `keep!`, `magnitude!` and `check_drift!`.
//!
//! As in `same`, the choice is made where a macro is expanded, by method lookup: a type that implements [`Compare`] is compared by
//! it, sequences of one element type element by element, an `Active` type and sequences of one number by number, and what has `==`
//! with that. Other types are not compared.

mod each;
mod kept;
mod pairs;

pub use each::{
    EachByCompare, EachByEquality, EachByNumbers, EachUnknown, Inside, Leaf, Repeated, check_drift_of_each, first_leaf,
    keep_one,
};
pub use kept::{Asked, KeepByClone, KeepNothing, MagnitudeByCompare, MagnitudeByNumbers, NoMagnitude, keep, magnitude};
pub use pairs::{
    DriftByCompare, DriftByElements, DriftByEquality, DriftByNumbers, DriftByNumbersOfElements, DriftUnknown,
    check_drift,
};

use crate::check::{Compare, Mismatch};
use crate::error::ErrorKind;
use crate::site::Site;

/// Whether backward runs compare. `scripts/drift-overhead` compiles programs without, to count what that costs.
pub const COMPARED: bool = cfg!(not(retrograd_unchecked_drift));

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

/// Raises `Drift` for what drifts by the default, unless a wider tolerance is in force, or the variable was so large where its life
/// began.
#[inline(always)]
fn compared<T: Compare + ?Sized>(site: &Site, variable: &Local<'_>, expected: &T, actual: &T, scale: f64) {
    let mismatch = expected.drift(actual, scale);
    if T::EXACT {
        exact_differs(site, variable, mismatch);
    }
    if let Some(mismatch) = mismatch {
        differs(site, variable, "", mismatch);
    }
}

/// The same for one of several values, which need not drift.
#[inline(always)]
fn compared_at<T>(site: &Site, variable: &Local<'_>, path: &str, expected: &T, actual: &T, scale: f64)
where
    T: Compare + ?Sized,
{
    if let Some(mismatch) = expected.drift(actual, scale) {
        differs(site, variable, path, mismatch);
    }
}

// What is exact passes by no tolerance. This never comes back, so that a run keeps nothing in registers or on its stack for what would
// come behind.
#[cold]
#[inline(never)]
fn exact_differs(site: &Site, variable: &Local<'_>, mismatch: Option<Mismatch>) -> ! {
    match mismatch {
        Some(mismatch) => differs(site, variable, "", mismatch),
        None => unequal(site, variable),
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

#[cfg(test)]
mod tests {
    use super::{Inside, Leaf, Local, check_drift, check_drift_of_each, keep, magnitude};
    use crate::check::{DriftTolerance, with_drift};
    use crate::{Active, ErrorKind, Real, Stack, attempt, ops::Site};

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
    fn what_is_exact_passes_by_no_tolerance() {
        let blind = DriftTolerance { relative: f64::INFINITY, absolute: f64::INFINITY };
        with_drift(blind, || {
            assert_eq!(drift!(&1.0, &2.0, 0.0), None);
            assert_eq!(drift!(&7_u64, &8, 0.0).unwrap(), "x 7 8");
            assert_eq!(drift!(&vec![true, false], &vec![true, true], 0.0).unwrap(), "x[1] false true");
            let (empty, pushed) = (Stack::<bool>::new(), Stack::from(vec![true]));
            assert_eq!(drift!(&empty, &pushed, 0.0).unwrap(), "x.len() 0 1");
        });
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
