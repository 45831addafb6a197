//! Whether two indices of one container can mean the same element.

use std::ops::{Bound, Range, RangeBounds, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// Whether two indices of one container have an element in common.
///
/// Integers and other keys do if they are equal, a range and an integer if the range contains it,
/// two ranges if they intersect, and tuples if all their components do. An empty range has nothing
/// in common with anything.
///
/// ```
/// use retrograd::ops::Overlap;
///
/// assert!(3.overlap(&3) && !3.overlap(&4));
/// assert!((0..4).overlap(&3) && !(..4).overlap(&(4..)));
/// assert!((2, 0..4).overlap(&(2, 3)) && !(1, 0..4).overlap(&(2, 3)));
/// ```
#[diagnostic::on_unimplemented(
    message = "it is not known whether an index `{Self}` and an index `{J}` mean the same element",
    note = "implement `retrograd::ops::Overlap<{J}>` for an index type of your own"
)]
pub trait Overlap<J: ?Sized> {
    /// Whether `self` and `other` have an element in common.
    fn overlap(&self, other: &J) -> bool;
}

macro_rules! keys {
    ($($left:ty, $right:ty;)*) => {$(
        impl Overlap<$right> for $left {
            #[inline]
            fn overlap(&self, other: &$right) -> bool {
                self == other
            }
        }
    )*};
}

keys! {
    u8, u8; u16, u16; u32, u32; u64, u64; u128, u128; usize, usize;
    i8, i8; i16, i16; i32, i32; i64, i64; i128, i128; isize, isize;
    bool, bool; char, char; (), ();
    str, str; String, String; str, String; String, str; &str, String; String, &str;
}

impl<I: Overlap<J> + ?Sized, J: ?Sized> Overlap<&J> for &I {
    #[inline]
    fn overlap(&self, other: &&J) -> bool {
        I::overlap(self, other)
    }
}

macro_rules! tuples {
    ($(($($left:ident $right:ident $index:tt),+))*) => {$(
        impl<$($left: Overlap<$right>, $right),+> Overlap<($($right,)+)> for ($($left,)+) {
            #[inline]
            fn overlap(&self, other: &($($right,)+)) -> bool {
                $(self.$index.overlap(&other.$index))&&+
            }
        }
    )*};
}

tuples! {
    (A E 0)
    (A E 0, B F 1)
    (A E 0, B F 1, C G 2)
    (A E 0, B F 1, C G 2, D H 3)
}

/// The first and the last index of a range, or none if it is empty.
#[inline]
fn ends(range: &impl RangeBounds<usize>) -> Option<(usize, usize)> {
    let first = match range.start_bound() {
        Bound::Included(&first) => first,
        Bound::Excluded(&before) => before.checked_add(1)?,
        Bound::Unbounded => 0,
    };
    let last = match range.end_bound() {
        Bound::Included(&last) => last,
        Bound::Excluded(&end) => end.checked_sub(1)?,
        Bound::Unbounded => usize::MAX,
    };
    (first <= last).then_some((first, last))
}

#[inline]
fn intersect(left: &impl RangeBounds<usize>, right: &impl RangeBounds<usize>) -> bool {
    match (ends(left), ends(right)) {
        (Some(left), Some(right)) => left.0 <= right.1 && right.0 <= left.1,
        _ => false,
    }
}

macro_rules! ranges {
    ($($left:ty),*) => {$(
        impl Overlap<usize> for $left {
            #[inline]
            fn overlap(&self, other: &usize) -> bool {
                intersect(self, &(*other..=*other))
            }
        }

        impl Overlap<$left> for usize {
            #[inline]
            fn overlap(&self, other: &$left) -> bool {
                other.overlap(self)
            }
        }

        range_against_ranges!($left);
    )*};
}

macro_rules! range_against_ranges {
    ($left:ty) => {
        range_pairs! {
            $left:
            Range<usize>, RangeInclusive<usize>, RangeTo<usize>,
            RangeToInclusive<usize>, RangeFrom<usize>, RangeFull
        }
    };
}

macro_rules! range_pairs {
    ($left:ty: $($right:ty),*) => {$(
        impl Overlap<$right> for $left {
            #[inline]
            fn overlap(&self, other: &$right) -> bool {
                intersect(self, other)
            }
        }
    )*};
}

ranges!(Range<usize>, RangeInclusive<usize>, RangeTo<usize>, RangeToInclusive<usize>, RangeFrom<usize>, RangeFull);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_overlap_if_they_are_equal() {
        assert!("a".overlap("a") && !Overlap::overlap(&"a", &"b"));
        assert!("a".to_string().overlap("a") && "a".overlap(&"a".to_string()));
        assert!((1_u8, 'x').overlap(&(1, 'x')) && !(1_u8, 'x').overlap(&(1, 'y')));
    }

    #[test]
    fn the_ends_of_usize_are_indices_like_others() {
        assert!((..=usize::MAX).overlap(&usize::MAX) && !(..usize::MAX).overlap(&usize::MAX));
        assert!((usize::MAX..).overlap(&..) && !(..0).overlap(&..));
    }
}
