//! Rows of numbers: how large they are, and whether any of them is far from what it was, with as wide instructions as the machine has.
//!
//! A backward run looks at all that it has restored, and this is nearly all that this costs.

use super::compare::Compare;
use super::drift::DriftTolerance;

#[cfg(target_arch = "x86_64")]
mod wide;

/// A row with fewer is gone through on the spot: to ask which instructions there are costs more than they save.
const MANY: usize = 16;

/// How far what is exact is from what it was: nowhere, or not near.
#[inline(always)]
pub(crate) fn if_differs(differs: bool) -> f64 {
    if differs { f64::NAN } else { 0.0 }
}

/// Something that is asked of a row.
trait Ask: Sized {
    type Answer;
    /// Goes through the row, in whatever instructions the caller is compiled for.
    fn ask(self) -> Self::Answer;
}

/// Asks with the instructions of the machine.
#[inline]
fn ask_many<A: Ask>(row: A) -> A::Answer {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[allow(unsafe_code, reason = "instructions that only some machines have")]
        // SAFETY: this one has them.
        return unsafe { wide::ask(row) };
    }
    row.ask()
}

/// The largest magnitude in a row.
#[inline]
pub(super) fn largest<T: Compare>(all: &[T]) -> f64 {
    match all.len() {
        _ if T::EXACT => 0.0,
        ..MANY => Largest(all).ask(),
        MANY.. => ask_many(Largest(all)),
    }
}

/// Whether one of a row may be too far from what it was; there are as many of both.
#[inline]
pub(super) fn any_far<T: Compare>(expected: &[T], actual: &[T]) -> bool {
    let far = AnyFar { expected, actual };
    if actual.len() < MANY { far.ask() } else { ask_many(far) }
}

/// The same where all of the row were one value.
#[inline]
pub(super) fn any_far_from<T: Compare>(expected: &T, actual: &[T]) -> bool {
    let far = AnyFarFrom { expected, actual };
    if actual.len() < MANY { far.ask() } else { ask_many(far) }
}

/// The same for `f64`.
pub(super) mod of_f64 {
    use super::{AnyFar, AnyFarFrom, Ask, Largest, MANY};

    /// Runs one or the other: the first if the row is long, and the machine has the instructions.
    macro_rules! wide_or {
        ($row:expr, $wide:ident($($argument:expr),*), $otherwise:expr) => {{
            #[cfg(target_arch = "x86_64")]
            if $row.len() >= MANY && is_x86_feature_detected!("avx") {
                #[allow(unsafe_code, reason = "instructions that only some machines have")]
                // SAFETY: this one has them.
                return unsafe { super::wide::$wide($($argument),*) };
            }
            $otherwise.ask()
        }};
    }

    #[inline]
    pub(in crate::check) fn largest(all: &[f64]) -> f64 {
        wide_or!(all, largest(all), Largest(all))
    }

    #[inline]
    pub(in crate::check) fn any_far(expected: &[f64], actual: &[f64]) -> bool {
        wide_or!(actual, any_far(expected, actual), AnyFar { expected, actual })
    }

    #[inline]
    pub(in crate::check) fn any_far_from(expected: f64, actual: &[f64]) -> bool {
        wide_or!(actual, any_far_from(expected, actual), AnyFarFrom { expected: &expected, actual })
    }
}

struct Largest<'a, T>(&'a [T]);

struct AnyFar<'a, T> {
    expected: &'a [T],
    actual: &'a [T],
}

struct AnyFarFrom<'a, T> {
    expected: &'a T,
    actual: &'a [T],
}

/// The largest of several numbers that are not negative; NaN if there is one. As integers they have the same order, and of these the
/// compiler compares several at once.
#[inline(always)]
fn largest_of(numbers: impl Iterator<Item = f64>) -> f64 {
    f64::from_bits(numbers.fold(0, |largest, number| i64::max(largest, number.abs().to_bits() as i64)) as u64)
}

/// Whether a distance may be too much. NaN is.
#[inline(always)]
fn is_far(distance: f64) -> bool {
    let near = distance < DriftTolerance::DEFAULT.absolute;
    !near
}

impl<T: Compare> Ask for Largest<'_, T> {
    type Answer = f64;

    #[inline(always)]
    fn ask(self) -> f64 {
        largest_of(self.0.iter().map(Compare::magnitude))
    }
}

impl<T: Compare> Ask for AnyFar<'_, T> {
    type Answer = bool;

    #[inline(always)]
    fn ask(self) -> bool {
        is_far(largest_of(self.expected.iter().zip(self.actual).map(|(expected, actual)| expected.apart(actual))))
    }
}

impl<T: Compare> Ask for AnyFarFrom<'_, T> {
    type Answer = bool;

    #[inline(always)]
    fn ask(self) -> bool {
        is_far(largest_of(self.actual.iter().map(|actual| self.expected.apart(actual))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_magnitude_is_that_of_any_number() {
        for n in 0..200 {
            let numbers: Vec<f64> = (0..n).map(|i| if i % 37 == 3 { -2.0 - i as f64 } else { 1.5 }).collect();
            let expected = numbers.iter().fold(0.0, |a, b| f64::max(a, b.abs()));
            assert_eq!([f64::largest(&numbers), largest(&numbers)], [expected; 2]);
        }
    }

    #[test]
    fn one_number_of_a_row_that_is_far_is_seen_wherever_it_stands() {
        for n in [1_usize, 2, 15, 16, 17, 63, 64, 100, 1027, 3000] {
            for far in [1.0 + 2e-10, f64::NAN, f64::INFINITY, -1.0] {
                for at in (0..n).step_by(n.div_ceil(70)) {
                    let mut actual = vec![1.0 + 1e-14; n];
                    let near = [
                        of_f64::any_far(&vec![1.0; n], &actual),
                        of_f64::any_far_from(1.0, &actual),
                        any_far(&vec![1.0; n], &actual),
                        any_far_from(&1.0, &actual),
                    ];
                    assert_eq!(near, [false; 4], "{n}");
                    actual[at] = far;
                    let far = [
                        of_f64::any_far(&vec![1.0; n], &actual),
                        of_f64::any_far_from(1.0, &actual),
                        any_far(&vec![1.0; n], &actual),
                        any_far_from(&1.0, &actual),
                    ];
                    assert_eq!(far, [true; 4], "{n} {at}");
                }
            }
        }
    }
}
