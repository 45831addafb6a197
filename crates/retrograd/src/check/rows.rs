//! Rows of numbers: how large they are, and whether any of them is far from what it was, with as wide instructions as the machine has.
//!
//! A backward run looks at all that it has restored, and this is nearly all that this costs.

use std::ops::Add;

use super::compare::Compare;
use super::drift::DriftTolerance;

#[cfg(target_arch = "x86_64")]
mod wide;

/// A row with fewer is gone through on the spot: to ask which instructions there are costs more than they save.
const MANY: usize = 16;

/// How far something is from what it was.
#[derive(Clone, Copy, Debug)]
pub struct Apart {
    /// Whether something exact in it differs.
    differs: bool,
    /// The sum of the distances of all floats in it.
    distance: f64,
}

impl Apart {
    /// It is what it was.
    pub(crate) const NOT: Apart = Apart { differs: false, distance: 0.0 };

    /// It may be anywhere.
    pub(crate) const UNKNOWN: Apart = Apart { differs: true, distance: 0.0 };

    /// A float at that distance.
    #[inline(always)]
    pub(crate) fn by(distance: f64) -> Apart {
        Apart { differs: false, distance }
    }

    /// Something exact, which differs or not.
    #[inline(always)]
    pub(crate) fn if_differs(differs: bool) -> Apart {
        Apart { differs, distance: 0.0 }
    }

    /// Whether that may be too much. NaN is.
    #[inline(always)]
    fn is_far(self) -> bool {
        let near = self.distance < DriftTolerance::DEFAULT.absolute;
        self.differs | !near
    }
}

impl Add for Apart {
    type Output = Apart;

    #[inline(always)]
    fn add(self, other: Apart) -> Apart {
        Apart { differs: self.differs | other.differs, distance: self.distance + other.distance }
    }
}

/// Something that is asked of a row.
trait Ask: Sized {
    type Answer;
    /// Goes through the row one by one.
    fn in_turn(self) -> Self::Answer;
    /// Goes through the row several at a time, in whatever instructions the caller is compiled for.
    fn side_by_side(self) -> Self::Answer;
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
    row.side_by_side()
}

/// The largest magnitude in a row.
#[inline]
pub(super) fn largest<T: Compare>(all: &[T]) -> f64 {
    match all.len() {
        _ if T::EXACT => 0.0,
        ..MANY => Largest(all).in_turn(),
        MANY.. => ask_many(Largest(all)),
    }
}

/// Whether one of a row may be too far from what it was; there are as many of both.
#[inline]
pub(super) fn any_far<T: Compare>(expected: &[T], actual: &[T]) -> bool {
    let far = AnyFar { expected, actual };
    if actual.len() < MANY { far.in_turn() } else { ask_many(far) }
}

/// The same where all of the row were one value.
#[inline]
pub(super) fn any_far_from<T: Compare>(expected: &T, actual: &[T]) -> bool {
    let far = AnyFarFrom { expected, actual };
    if actual.len() < MANY { far.in_turn() } else { ask_many(far) }
}

/// The same for `f64`.
pub(super) mod of_f64 {
    use super::{AnyFar, AnyFarFrom, Ask, Largest, MANY};

    /// Runs one or the other: the first if the row is long, and the machine has the instructions.
    macro_rules! wide_or {
        ($row:expr, $wide:ident($($argument:expr),*), $otherwise:expr) => {{
            if $row.len() < MANY {
                return $otherwise.in_turn();
            }
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma") {
                #[allow(unsafe_code, reason = "instructions that only some machines have")]
                // SAFETY: this one has them.
                return unsafe { super::wide::$wide($($argument),*) };
            }
            $otherwise.side_by_side()
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

/// How many are looked at side by side. The compiler does not do that by itself: neither a largest number nor a sum may be taken in
/// another order.
const BESIDE: usize = 16;

/// How many distances are added up before the sum is looked at: so many rounding errors are still near.
const BLOCK: usize = 16 * BESIDE;

/// The larger of two numbers; NaN does not count.
#[inline(always)]
fn larger(one: f64, other: f64) -> f64 {
    if other > one { other } else { one }
}

impl<T: Compare> Ask for Largest<'_, T> {
    type Answer = f64;

    #[inline(always)]
    fn in_turn(self) -> f64 {
        self.0.iter().map(Compare::magnitude).fold(0.0, larger)
    }

    #[inline(always)]
    fn side_by_side(self) -> f64 {
        let (steps, rest) = self.0.as_chunks::<BESIDE>();
        let mut parts = [0.0; BESIDE];
        for step in steps {
            for i in 0..BESIDE {
                parts[i] = larger(parts[i], step[i].magnitude());
            }
        }
        larger(joined(parts, larger), Largest(rest).in_turn())
    }
}

impl<T: Compare> Ask for AnyFar<'_, T> {
    type Answer = bool;

    #[inline(always)]
    fn in_turn(self) -> bool {
        distances(self.expected.iter().zip(self.actual)).is_far()
    }

    #[inline(always)]
    fn side_by_side(self) -> bool {
        let mut any = false;
        for (expected, actual) in self.expected.chunks(BLOCK).zip(self.actual.chunks(BLOCK)) {
            let (steps, rest) = expected.as_chunks::<BESIDE>();
            let (others, others_rest) = actual.as_chunks::<BESIDE>();
            let mut parts = [Apart::NOT; BESIDE];
            for (step, other) in steps.iter().zip(others) {
                for i in 0..BESIDE {
                    parts[i] = parts[i] + step[i].apart(&other[i]);
                }
            }
            any |= (joined(parts, Apart::add) + distances(rest.iter().zip(others_rest))).is_far();
        }
        any
    }
}

impl<T: Compare> Ask for AnyFarFrom<'_, T> {
    type Answer = bool;

    #[inline(always)]
    fn in_turn(self) -> bool {
        distances(self.actual.iter().map(|actual| (self.expected, actual))).is_far()
    }

    #[inline(always)]
    fn side_by_side(self) -> bool {
        let mut any = false;
        for actual in self.actual.chunks(BLOCK) {
            let (steps, rest) = actual.as_chunks::<BESIDE>();
            let mut parts = [Apart::NOT; BESIDE];
            for step in steps {
                for i in 0..BESIDE {
                    parts[i] = parts[i] + self.expected.apart(&step[i]);
                }
            }
            any |= (joined(parts, Apart::add) + distances(rest.iter().map(|actual| (self.expected, actual)))).is_far();
        }
        any
    }
}

/// The sum of all distances.
#[inline(always)]
fn distances<'a, T: Compare + 'a>(pairs: impl Iterator<Item = (&'a T, &'a T)>) -> Apart {
    let mut sum = Apart::NOT;
    for (expected, actual) in pairs {
        sum = sum + expected.apart(actual);
    }
    sum
}

/// All that stands side by side, joined two by two.
#[inline(always)]
fn joined<P: Copy>(mut parts: [P; BESIDE], join: impl Fn(P, P) -> P) -> P {
    let mut half = BESIDE / 2;
    while half > 0 {
        for i in 0..half {
            parts[i] = join(parts[i], parts[half + i]);
        }
        half /= 2;
    }
    parts[0]
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
