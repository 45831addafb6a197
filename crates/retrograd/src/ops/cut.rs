//! Several elements of one container, of which some are changed and some only read.

use std::ops::Range;

/// What a container lends, `None` if that has an element in common with what is changed: the elements to be changed, and those to be read.
pub(crate) type Lent<'a, E, const N: usize, const M: usize> = Option<([&'a mut E; N], [&'a E; M])>;

/// Cuts ranges out of a slice, to be changed, that have nothing in common; ranges to be read lie between them.
pub(super) fn cut<'a, T, const N: usize, const M: usize>(
    slice: &'a mut [T],
    changed: &[Range<usize>; N],
    read: &[Range<usize>; M],
) -> Lent<'a, [T], N, M> {
    let len = slice.len();
    let fits = |range: &Range<usize>| range.start <= range.end && range.end <= len;
    if !changed.iter().chain(read).all(fits) {
        return None;
    }
    let mut order: [usize; N] = std::array::from_fn(|n| n);
    order.sort_unstable_by_key(|&n| changed[n].start);
    let mut own: [&mut [T]; N] = std::array::from_fn(|_| Default::default());
    let mut gaps: [(usize, &[T]); N] = [(0, &[]); N];
    let (mut rest, mut start) = (slice, 0);
    // An empty range has nothing in common with what lies around it.
    for n in order.into_iter().filter(|&n| !changed[n].is_empty()) {
        let (gap, behind) = rest.split_at_mut(changed[n].start.checked_sub(start)?);
        gaps[n] = (start, gap);
        (own[n], rest) = behind.split_at_mut(changed[n].len());
        start = changed[n].end;
    }
    let last = (start, &*rest);
    let mut found: [&[T]; M] = [&[]; M];
    for (found, range) in found.iter_mut().zip(read).filter(|(_, range)| !range.is_empty()) {
        let inside = |(start, gap): &(usize, &'a [T])| {
            let from = range.start.checked_sub(*start)?;
            gap.get(from..from + range.len())
        };
        *found = gaps.iter().chain([&last]).find_map(inside)?;
    }
    Some((own, found))
}

/// The same for single elements.
pub(crate) fn cut_elements<T, const N: usize, const M: usize>(
    slice: &mut [T],
    changed: [usize; N],
    read: [usize; M],
) -> Lent<'_, T, N, M> {
    let range = |n: usize| n..n.saturating_add(1);
    let (own, found) = cut(slice, &changed.map(range), &read.map(range))?;
    Some((own.map(|own| &mut own[0]), found.map(|found| &found[0])))
}

/// The same for a container that cannot be cut, and is gone through.
#[cfg(any(feature = "faer", feature = "ndarray"))]
pub(crate) fn found_among<'a, T, const N: usize, const M: usize>(
    elements: impl Iterator<Item = &'a mut T>,
    changed: [usize; N],
    read: [usize; M],
) -> Lent<'a, T, N, M> {
    let mut elements: Vec<Option<&'a mut T>> = elements.map(Some).collect();
    let own = changed.map(|place| elements[place].take());
    let shared: Vec<Option<&'a T>> = elements.into_iter().map(|element| element.map(|element| &*element)).collect();
    let found = read.map(|place| shared[place]);
    let all = own.iter().all(Option::is_some) && found.iter().all(Option::is_some);
    let here = "all of them are there";
    all.then(|| (own.map(|element| element.expect(here)), found.map(|element| element.expect(here))))
}
