//! Several elements of one container, changed in one call.

use std::fmt::Debug;
use std::ops::Range;
use std::slice::{GetDisjointMutError, SliceIndex};

use super::Site;
use super::cut::{cut, cut_elements};
use crate::ErrorKind;

/// Borrows several elements of one container mutably at once, for a call such as
/// `rotate(&mut x[i], &mut x[j], t)`.
///
/// Two indices with an element in common raise
/// [`EqualIndices`](crate::ErrorKind::EqualIndices) in every build. An index out of bounds is an
/// ordinary panic, as it is for `x[i]`.
///
/// ```
/// use retrograd::{ErrorKind, attempt, ops::{Disjoint, Site, swap}};
///
/// let site = Site { function: "f", file: "f.rs", line: 1, column: 1, statement: "swap(..);" };
/// let mut x = vec![10, 20, 30];
/// let [a, b] = x.disjoint_mut([0, 2], &site);
/// swap(a, b);
/// assert_eq!(x, [30, 20, 10]);
///
/// let error = attempt(|| x.disjoint_mut([1, 1], &site).map(drop)).unwrap_err();
/// assert_eq!(error.kind, ErrorKind::EqualIndices);
/// ```
#[diagnostic::on_unimplemented(
    message = "elements of `{Self}` at indices `{I}` cannot be lent together",
    note = "slices lend by `usize` and by `Range<usize>`, `Slots` by their key"
)]
pub trait Disjoint<I> {
    /// What one index leads to.
    type Element: ?Sized;

    /// The elements at `indices`, in that order.
    fn disjoint_mut<const N: usize>(&mut self, indices: [I; N], site: &Site) -> [&mut Self::Element; N];

    /// The elements at `changed`, to be changed, and those at `read`, of which several may be the same.
    fn changed_and_read<const N: usize, const M: usize>(
        &mut self,
        changed: [I; N],
        read: [I; M],
        site: &Site,
    ) -> ([&mut Self::Element; N], [&Self::Element; M]);
}

impl<T> Disjoint<usize> for [T] {
    type Element = T;

    #[inline]
    #[track_caller]
    fn disjoint_mut<const N: usize>(&mut self, indices: [usize; N], site: &Site) -> [&mut T; N] {
        let len = self.len();
        match self.get_disjoint_mut(indices) {
            Ok(elements) => elements,
            Err(error) => refuse(error, indices, len, site),
        }
    }

    #[track_caller]
    fn changed_and_read<const N: usize, const M: usize>(
        &mut self,
        changed: [usize; N],
        read: [usize; M],
        site: &Site,
    ) -> ([&mut T; N], [&T; M]) {
        let len = self.len();
        cut_elements(self, changed, read).unwrap_or_else(|| refuse_both(&changed, &read, len, site))
    }
}

impl<T> Disjoint<Range<usize>> for [T] {
    type Element = [T];

    #[inline]
    #[track_caller]
    fn disjoint_mut<const N: usize>(&mut self, indices: [Range<usize>; N], site: &Site) -> [&mut [T]; N] {
        let len = self.len();
        // To std an empty range overlaps what lies around it. The one at 0 has nothing before it.
        let moved = indices.clone().map(|range| match range.start == range.end && range.end <= len {
            true => 0..0,
            false => range,
        });
        match self.get_disjoint_mut(moved) {
            Ok(elements) => elements,
            Err(error) => refuse(error, indices, len, site),
        }
    }

    #[track_caller]
    fn changed_and_read<const N: usize, const M: usize>(
        &mut self,
        changed: [Range<usize>; N],
        read: [Range<usize>; M],
        site: &Site,
    ) -> ([&mut [T]; N], [&[T]; M]) {
        let len = self.len();
        cut(self, &changed, &read).unwrap_or_else(|| refuse_both(&changed, &read, len, site))
    }
}

/// Raises what is wrong with indices of which some are changed and some are read.
#[cold]
#[inline(never)]
#[track_caller]
fn refuse_both<I: SliceIndex<[()]> + Clone + Debug>(changed: &[I], read: &[I], len: usize, site: &Site) -> ! {
    // A slice of nothings of the same length panics with std's own words.
    let places = vec![(); len];
    for index in changed.iter().chain(read) {
        let _ = &places[index.clone()];
    }
    same_element_read(changed, read, site)
}

/// Raises `EqualIndices` for the indices of one call, of which some are changed and some are read.
#[cold]
#[inline(never)]
pub(crate) fn same_element_read<I: Debug>(changed: &[I], read: &[I], site: &Site) -> ! {
    same_element(&changed.iter().chain(read).collect::<Vec<_>>(), site)
}

// The indices come by value: borrowed, they would have to be in memory on every call.
#[cold]
#[inline(never)]
#[track_caller]
fn refuse<I, const N: usize>(error: GetDisjointMutError, indices: [I; N], len: usize, site: &Site) -> !
where
    I: SliceIndex<[()]> + Clone + Debug,
{
    if error == GetDisjointMutError::IndexOutOfBounds {
        // A slice of nothings of the same length panics with std's own words.
        let places = vec![(); len];
        for index in &indices {
            let _ = &places[index.clone()];
        }
    }
    same_element(&indices, site)
}

/// Raises `EqualIndices` for the indices of one call.
#[cold]
#[inline(never)]
pub(crate) fn same_element(indices: &dyn Debug, site: &Site) -> ! {
    let indices = format!("{indices:?}");
    site.fail(ErrorKind::EqualIndices, "the indices", "no element twice", indices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attempt;

    const SITE: Site = Site { function: "f", file: "f.rs", line: 1, column: 1, statement: "s" };

    #[test]
    fn everything_that_derefs_to_a_slice_lends_by_method_syntax() {
        fn slice(x: &mut [i32]) -> i32 {
            let [a, b] = x.disjoint_mut([0, 1], &SITE);
            *a + *b
        }
        let mut vec = vec![1, 2];
        let mut array = [3, 4];
        let mut boxed: Box<[i32]> = Box::new([5, 6]);
        assert_eq!(slice(&mut vec) + slice(&mut array) + slice(&mut boxed), 21);
        let [a, b] = vec.disjoint_mut([1, 0], &SITE);
        assert_eq!((*a, *b), (2, 1));
        let [a, b] = array.disjoint_mut([1, 0], &SITE);
        assert_eq!((*a, *b), (4, 3));
        let [a, b] = boxed.disjoint_mut([1, 0], &SITE);
        assert_eq!((*a, *b), (6, 5));
        let nested = &mut &mut vec;
        let [a, b] = nested.disjoint_mut([0..1, 1..2], &SITE);
        assert_eq!((a[0], b[0]), (1, 2));
    }

    #[test]
    fn empty_ranges_are_disjoint_from_everything() {
        let mut x = [1, 2, 3];
        let [a, b, c] = x.disjoint_mut([0..3, 1..1, 3..3], &SITE);
        assert_eq!((a.len(), b.len(), c.len()), (3, 0, 0));
    }

    #[test]
    fn overlapping_indices_are_reported_as_written() {
        let error = attempt(|| [1, 2, 3].disjoint_mut([2, 0, 2], &SITE).map(|x| *x)).unwrap_err();
        assert_eq!((error.kind, &*error.actual), (ErrorKind::EqualIndices, "[2, 0, 2]"));
        let error = attempt(|| [1, 2].disjoint_mut([0..2, 1..2], &SITE).map(|x| x[0])).unwrap_err();
        assert_eq!((error.kind, &*error.actual), (ErrorKind::EqualIndices, "[0..2, 1..2]"));
    }

    #[test]
    fn what_is_read_may_be_the_same() {
        let mut x = [1, 2, 3, 4];
        let ([a, b], [c, d, e]) = x.changed_and_read([3, 0], [1, 2, 1], &SITE);
        std::mem::swap(a, b);
        assert_eq!((*c, *d, *e), (2, 3, 2));
        let ([a, b], [c, d, e]) = x.changed_and_read([2..3, 1..1], [0..2, 1..2, 2..2], &SITE);
        assert_eq!((&*a, &*b, c, d, e), (&[3][..], &[][..], &[4, 2][..], &[2][..], &[][..]));
        let error = attempt(|| _ = [1, 2, 3].changed_and_read([2, 0], [1, 2], &SITE)).unwrap_err();
        assert_eq!((error.kind, &*error.actual), (ErrorKind::EqualIndices, "[2, 0, 1, 2]"));
        let error = attempt(|| _ = [1, 2, 3].changed_and_read([1, 1], [0, 0], &SITE)).unwrap_err();
        assert_eq!((error.kind, &*error.actual), (ErrorKind::EqualIndices, "[1, 1, 0, 0]"));
        let error = attempt(|| _ = [1, 2, 3].changed_and_read([1..2, 3..3], [0..3, 0..1], &SITE)).unwrap_err();
        assert_eq!((error.kind, &*error.actual), (ErrorKind::EqualIndices, "[1..2, 3..3, 0..3, 0..1]"));
    }

    #[test]
    #[should_panic = "index out of bounds: the len is 2 but the index is 7"]
    fn an_index_out_of_bounds_that_is_read_is_an_ordinary_panic() {
        let _ = [1, 2].changed_and_read([0], [1, 7], &SITE);
    }

    #[test]
    #[should_panic = "index out of bounds: the len is 2 but the index is 7"]
    fn an_index_out_of_bounds_is_an_ordinary_panic() {
        [1, 2].disjoint_mut([0, 7], &SITE);
    }

    #[test]
    #[should_panic = "out of range for slice of length 2"]
    fn a_range_out_of_bounds_is_an_ordinary_panic() {
        [1, 2].disjoint_mut([0..1, 1..3], &SITE);
    }

    #[test]
    #[should_panic = "starts at 3 but ends at 1"]
    fn a_range_that_runs_backwards_is_an_ordinary_panic() {
        let (start, end) = (3, 1);
        [1, 2, 3].disjoint_mut([0..1, start..end], &SITE);
    }
}
