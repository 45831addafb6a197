//! Rows of one slice, to be changed at the same time.

use std::array;
use std::ops::Range;

/// Rows of that length that begin at these indices; `None` if two of them overlap, or one is not in the slice.
///
/// ```
/// use retrograd::private::rows_apart;
///
/// let mut x = [1, 2, 3, 4];
/// let [a, b] = rows_apart(&mut x, [2, 0], 2).unwrap();
/// assert_eq!((a, b), (&mut [3, 4][..], &mut [1, 2][..]));
/// assert_eq!(rows_apart(&mut x, [0, 1], 2), None);
/// assert_eq!(rows_apart(&mut x, [0, 3], 2), None);
/// ```
#[inline(always)]
pub fn rows_apart<T, const N: usize>(x: &mut [T], firsts: [usize; N], count: usize) -> Option<[&mut [T]; N]> {
    let rows: [Range<usize>; N] = array::from_fn(|i| firsts[i]..firsts[i].wrapping_add(count));
    x.get_disjoint_mut(rows).ok()
}
