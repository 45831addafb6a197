//! Every way of writing a part of a slice, as one type.

use std::ops::{Bound, Range, RangeBounds, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// An index or a range of indices as the range `start..end`.
///
/// The bounds are not checked against `len`; that is left to the slice they are used on.
///
/// ```
/// use retrograd::ops::ToRange;
///
/// assert_eq!(3.to_range(10), 3..4);
/// assert_eq!((..=3).to_range(10), 0..4);
/// assert_eq!((3..).to_range(10), 3..10);
/// ```
pub trait ToRange {
    /// The same part of a slice of length `len`, as `start..end`.
    fn to_range(self, len: usize) -> Range<usize>;
}

impl ToRange for usize {
    #[inline]
    #[track_caller]
    fn to_range(self, _len: usize) -> Range<usize> {
        self..after(self)
    }
}

macro_rules! ranges {
    ($($type:ty),*) => {$(
        impl ToRange for $type {
            #[inline]
            #[track_caller]
            fn to_range(self, len: usize) -> Range<usize> {
                let start = match self.start_bound() {
                    Bound::Included(&start) => start,
                    Bound::Excluded(&start) => after(start),
                    Bound::Unbounded => 0,
                };
                let end = match self.end_bound() {
                    Bound::Included(&end) => after(end),
                    Bound::Excluded(&end) => end,
                    Bound::Unbounded => len,
                };
                start..end
            }
        }
    )*};
}

ranges!(Range<usize>, RangeInclusive<usize>, RangeTo<usize>, RangeToInclusive<usize>, RangeFrom<usize>, RangeFull);

#[inline]
#[track_caller]
fn after(index: usize) -> usize {
    index.checked_add(1).expect("no slice has an element at index usize::MAX")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_means_the_places_that_it_means_to_a_slice() {
        fn check<R: ToRange + Clone + std::slice::SliceIndex<[usize], Output = [usize]>>(range: R) {
            let places: Vec<usize> = (0..6).collect();
            assert_eq!(places[range.clone().to_range(6)], places[range]);
        }
        check(1..4);
        check(1..=4);
        check(..4);
        check(..=4);
        check(4..);
        check(..);
        let mut used_up = 1..=4;
        used_up.by_ref().for_each(drop);
        check(used_up);
    }

    #[test]
    #[should_panic = "no slice has an element at index usize::MAX"]
    fn the_last_index_of_all_has_no_end() {
        (..=usize::MAX).to_range(3);
    }
}
