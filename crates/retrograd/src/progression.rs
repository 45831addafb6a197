//! The integers that a loop visits, in either order.

use std::iter::FusedIterator;
use std::ops::{Range, RangeInclusive};

/// An arithmetic progression of integers: what `(a..b).step_by(k)`, `.rev()` and their chains
/// visit.
///
/// It visits what std's adapters visit, in that order. Unlike those it can be reversed for every
/// integer type, even if the number of elements does not fit a `usize`, and nothing overflows at
/// the ends of the type. Made by [`progression`].
#[derive(Clone, Copy, Debug)]
pub struct Progression<I: Integer> {
    first: I,
    /// From one element to the next, modulo 2ⁿ: so a falling progression has a step as well.
    step: I,
    /// The index of the last element, which fits where the number of elements would not.
    last_index: I::Unsigned,
    /// Whether there is no element. A separate flag, with which the other fields mean nothing, keeps
    /// the adapters free of branches and so lets LLVM see through a loop.
    empty: bool,
}

/// The elements of `range` one by one: `a..b` or `a..=b` of any primitive integer type.
///
/// ```
/// use retrograd::private::progression;
///
/// let backwards: Vec<u64> = progression(0_u64..10).step_by(4).rev().into_iter().collect();
/// assert_eq!(backwards, [8, 4, 0]);
/// ```
#[inline]
pub fn progression<I: Integer>(range: impl IntoProgression<I>) -> Progression<I> {
    range.into_progression()
}

impl<I: Integer> Progression<I> {
    /// Every `step`-th element, from the first one. Panics if `step` is 0, as std does.
    #[inline]
    #[track_caller]
    pub fn step_by(self, step: usize) -> Self {
        assert!(step != 0);
        Progression {
            first: self.first,
            step: self.step.scaled(step),
            last_index: I::divided(self.last_index, step),
            empty: self.empty,
        }
    }

    /// The same elements from the last to the first.
    #[inline]
    pub fn rev(self) -> Self {
        Progression {
            first: self.first.ahead(self.last_index, self.step),
            step: self.step.negated(),
            last_index: self.last_index,
            empty: self.empty,
        }
    }
}

impl<I: Integer> IntoIterator for Progression<I> {
    type Item = I;
    type IntoIter = Terms<I>;

    #[inline]
    fn into_iter(self) -> Terms<I> {
        Terms { next: self.first, step: self.step, remaining: if self.empty { 0 } else { I::count(self.last_index) } }
    }
}

/// The iterator over a [`Progression`].
///
/// A counter runs along with the element, so the end of the loop does not depend on the elements and
/// the step after the last one may leave the range of the type.
#[derive(Clone, Debug)]
pub struct Terms<I> {
    next: I,
    step: I,
    remaining: u64,
}

impl<I: Integer> Iterator for Terms<I> {
    type Item = I;

    #[inline(always)]
    fn next(&mut self) -> Option<I> {
        if self.remaining == 0 {
            return None;
        }
        self.remaining -= 1;
        let term = self.next;
        self.next = term.plus(self.step);
        Some(term)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let fits = usize::try_from(self.remaining).ok();
        (fits.unwrap_or(usize::MAX), fits)
    }
}

impl<I: Integer> DoubleEndedIterator for Terms<I> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<I> {
        if self.remaining == 0 {
            return None;
        }
        self.remaining -= 1;
        Some(self.next.ahead(I::index(self.remaining), self.step))
    }
}

impl<I: Integer> ExactSizeIterator for Terms<I> {}

impl<I: Integer> FusedIterator for Terms<I> {}

/// A range that [`progression`] takes.
pub trait IntoProgression<I: Integer> {
    /// The elements of the range one by one.
    fn into_progression(self) -> Progression<I>;
}

impl<I: Integer> IntoProgression<I> for Range<I> {
    #[inline]
    fn into_progression(self) -> Progression<I> {
        let Range { start, end } = self;
        Progression {
            first: start,
            step: I::ONE,
            last_index: start.distance_to(end.plus(I::ONE.negated())),
            empty: start >= end,
        }
    }
}

impl<I: Integer> IntoProgression<I> for RangeInclusive<I> {
    #[inline]
    fn into_progression(self) -> Progression<I> {
        Progression {
            first: *self.start(),
            step: I::ONE,
            last_index: self.start().distance_to(*self.end()),
            // A range that has been iterated to its end is empty, whatever its ends are.
            empty: self.is_empty(),
        }
    }
}

/// What a loop goes through, to be gone through from either end: integers of a range that has a name, or anything else.
///
/// ```
/// use retrograd::private::{AnyElements as _, FromEitherEnd};
///
/// let backwards: Vec<u64> = FromEitherEnd(0..=9_u64).elements().step_by(4).rev().collect();
/// assert_eq!(backwards, [8, 4, 0]);
/// assert_eq!(FromEitherEnd([1.5, 2.5]).elements().rev().next(), Some(2.5));
/// ```
pub struct FromEitherEnd<T>(pub T);

impl<I: Integer> FromEitherEnd<Range<I>> {
    /// The integers of the range.
    #[inline]
    pub fn elements(self) -> Terms<I> {
        progression(self.0).into_iter()
    }
}

impl<I: Integer> FromEitherEnd<RangeInclusive<I>> {
    /// The integers of the range.
    #[inline]
    pub fn elements(self) -> Terms<I> {
        progression(self.0).into_iter()
    }
}

/// The elements of what is no range of integers.
pub trait AnyElements {
    /// An iterator over them.
    type Elements;
    /// The elements.
    fn elements(self) -> Self::Elements;
}

impl<T: IntoIterator> AnyElements for FromEitherEnd<T> {
    type Elements = T::IntoIter;
    #[inline]
    fn elements(self) -> T::IntoIter {
        self.0.into_iter()
    }
}

/// A primitive integer, with arithmetic modulo 2ⁿ. No other type can implement this.
pub trait Integer: Copy + PartialOrd + sealed::Sealed {
    /// The unsigned type of the same width: for distances.
    type Unsigned: Copy + std::fmt::Debug;
    /// The number 1.
    const ONE: Self;

    /// The sum, modulo 2ⁿ.
    fn plus(self, other: Self) -> Self;
    /// The negative, modulo 2ⁿ.
    fn negated(self) -> Self;
    /// The product, modulo 2ⁿ.
    fn scaled(self, factor: usize) -> Self;
    /// `self + index * step`, modulo 2ⁿ.
    fn ahead(self, index: Self::Unsigned, step: Self) -> Self;
    /// `last - self`, modulo 2ⁿ.
    fn distance_to(self, last: Self) -> Self::Unsigned;
    /// `index / step`, rounded down.
    fn divided(index: Self::Unsigned, step: usize) -> Self::Unsigned;
    /// A distance.
    fn index(index: u64) -> Self::Unsigned;
    /// `last_index + 1`; saturates, as no loop iterates 2⁶⁴ times in anyone's lifetime.
    fn count(last_index: Self::Unsigned) -> u64;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! integers {
    ($($type:ident $unsigned:ident)*) => {$(
        impl sealed::Sealed for $type {}

        impl Integer for $type {
            type Unsigned = $unsigned;
            const ONE: Self = 1;

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn negated(self) -> Self {
                self.wrapping_neg()
            }
            #[inline(always)]
            fn scaled(self, factor: usize) -> Self {
                self.wrapping_mul(factor as $type)
            }
            #[inline(always)]
            fn ahead(self, index: $unsigned, step: Self) -> Self {
                self.wrapping_add(step.wrapping_mul(index as $type))
            }
            #[inline(always)]
            fn distance_to(self, last: Self) -> $unsigned {
                last.wrapping_sub(self) as $unsigned
            }
            #[inline(always)]
            fn divided(index: $unsigned, step: usize) -> $unsigned {
                $unsigned::try_from(step).map_or(0, |step| index / step)
            }
            #[inline(always)]
            fn index(index: u64) -> $unsigned {
                index as $unsigned
            }
            #[inline(always)]
            fn count(last_index: $unsigned) -> u64 {
                u64::try_from(last_index).map_or(u64::MAX, |index| index.saturating_add(1))
            }
        }
    )*};
}

integers! {
    u8 u8 u16 u16 u32 u32 u64 u64 u128 u128 usize usize
    i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize
}

#[cfg(test)]
mod tests;
