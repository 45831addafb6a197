//! Comparison of containers, element by element.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};
use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};

use super::Apart;
use super::compare::{Compare, Mismatch, Report, Words};

/// The parts of a comparison of sequences that backward runs ask for: the same, without a word of what differs.
macro_rules! by_elements {
    () => {
        const EXACT: bool = T::EXACT;

        #[inline]
        fn magnitude(&self) -> f64 {
            T::largest(self)
        }

        #[inline]
        fn drifts(&self, actual: &Self, scale: f64) -> bool {
            self.len() != actual.len() || T::any_drifts(self, actual, scale)
        }
    };
}

/// Compares elements in order. Where the lengths differ, that is the one thing reported.
fn sequence<'a, T: Compare + 'a>(
    expected: impl ExactSizeIterator<Item = &'a T>,
    actual: impl ExactSizeIterator<Item = &'a T>,
    report: &mut Report,
) {
    if expected.len() != actual.len() {
        return report.field("len()", &expected.len(), &actual.len());
    }
    for (index, (expected, actual)) in expected.zip(actual).enumerate() {
        report.element(index, expected, actual);
    }
}

impl<T: Compare> Compare for [T] {
    fn compare(&self, actual: &Self, report: &mut Report) {
        sequence(self.iter(), actual.iter(), report);
    }

    by_elements!();
}

impl<T: Compare, const N: usize> Compare for [T; N] {
    fn compare(&self, actual: &Self, report: &mut Report) {
        sequence(self.iter(), actual.iter(), report);
    }

    by_elements!();

    #[inline(always)]
    fn apart(&self, actual: &Self) -> Apart {
        self.iter().zip(actual).fold(Apart::NOT, |sum, (one, actual)| sum + one.apart(actual))
    }

    #[inline]
    fn largest(all: &[Self]) -> f64 {
        T::largest(all.as_flattened())
    }

    #[inline]
    fn any_drifts(all: &[Self], actual: &[Self], scale: f64) -> bool {
        T::any_drifts(all.as_flattened(), actual.as_flattened(), scale)
    }
}

impl<T: Compare> Compare for Vec<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        sequence(self.iter(), actual.iter(), report);
    }

    by_elements!();

    /// Each of several vectors is a row of its own.
    #[inline]
    fn largest(all: &[Self]) -> f64 {
        all.iter().fold(0.0, |largest, one| f64::max(largest, T::largest(one)))
    }

    #[inline]
    fn any_drifts(all: &[Self], actual: &[Self], scale: f64) -> bool {
        all.iter().zip(actual).any(|(one, actual)| one.drifts(actual, scale))
    }

    /// As slices: of a vector whose own address nobody is told, the compiler knows that no element is a part.
    #[inline(always)]
    fn drift(&self, actual: &Self, scale: f64) -> Option<Mismatch> {
        self.as_slice().drift(actual.as_slice(), scale)
    }
}

impl<T: Compare> Compare for VecDeque<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        sequence(self.iter(), actual.iter(), report);
    }

    const EXACT: bool = T::EXACT;

    #[inline]
    fn magnitude(&self) -> f64 {
        let (first, second) = self.as_slices();
        T::largest(first).max(T::largest(second))
    }

    #[inline]
    fn drifts(&self, actual: &Self, scale: f64) -> bool {
        let drifted = |(expected, actual): (&T, &T)| expected.drifts(actual, scale);
        self.len() != actual.len() || self.iter().zip(actual).any(drifted)
    }
}

macro_rules! compare_what_is_behind {
    ($($type:ty),*) => {$(
        impl<T: Compare + ?Sized> Compare for $type {
            #[inline]
            fn compare(&self, actual: &Self, report: &mut Report) {
                T::compare(self, actual, report);
            }

            const EXACT: bool = T::EXACT;

            #[inline]
            fn magnitude(&self) -> f64 {
                T::magnitude(self)
            }

            #[inline]
            fn drifts(&self, actual: &Self, scale: f64) -> bool {
                T::drifts(self, actual, scale)
            }

            #[inline(always)]
            fn apart(&self, actual: &Self) -> Apart {
                T::apart(self, actual)
            }
        }
    )*};
}

compare_what_is_behind!(&T, &mut T, Box<T>);

impl<T: Compare> Compare for Option<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        const NAMES: [Words; 2] = [Words("None"), Words("Some(_)")];
        match (self, actual) {
            (Some(expected), Some(actual)) => report.field("unwrap()", expected, actual),
            (None, None) => {}
            _ => report.mismatch(&NAMES[self.is_some() as usize], &NAMES[actual.is_some() as usize]),
        }
    }
}

/// Compares two maps given by their entries and their lookups; used for `Slots` too.
pub(crate) fn compare_maps<'a, K: Debug + 'a, V: Compare + 'a>(
    expected: impl Iterator<Item = (&'a K, &'a V)>,
    in_expected: impl Fn(&K) -> bool,
    actual: impl Iterator<Item = (&'a K, &'a V)>,
    in_actual: impl Fn(&K) -> Option<&'a V>,
    report: &mut Report,
) {
    const PRESENT: Words = Words("a value");
    const ABSENT: Words = Words("no value");
    for (key, value) in expected {
        match in_actual(key) {
            Some(other) => report.element(key, value, other),
            None => report.element(key, &Entry(PRESENT), &Entry(ABSENT)),
        }
    }
    for (key, _) in actual.filter(|(key, _)| !in_expected(key)) {
        report.element(key, &Entry(ABSENT), &Entry(PRESENT));
    }
}

/// An entry that only one of two maps has.
struct Entry(Words<'static>);

impl Compare for Entry {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.mismatch(&self.0, &actual.0);
    }
}

impl<K: Ord + Debug, V: Compare> Compare for BTreeMap<K, V> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        compare_maps(self.iter(), |k| self.contains_key(k), actual.iter(), |k| actual.get(k), report);
    }
}

impl<K: Eq + Hash + Debug, V: Compare, S: BuildHasher> Compare for HashMap<K, V, S> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        compare_maps(self.iter(), |k| self.contains_key(k), actual.iter(), |k| actual.get(k), report);
    }
}

macro_rules! compare_fields {
    ($($type:ident { $($field:ident),+ })*) => {$(
        impl<T: Compare> Compare for $type<T> {
            fn compare(&self, actual: &Self, report: &mut Report) {
                $(report.field(stringify!($field), &self.$field, &actual.$field);)+
            }
        }
    )*};
}

compare_fields! {
    Range { start, end }
    RangeFrom { start }
    RangeTo { end }
    RangeToInclusive { end }
}

impl<T: Compare> Compare for RangeInclusive<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("start()", self.start(), actual.start());
        report.field("end()", self.end(), actual.end());
    }
}

macro_rules! compare_tuples {
    ($(($($element:ident $index:tt),+))*) => {$(
        impl<$($element: Compare),+> Compare for ($($element,)+) {
            fn compare(&self, actual: &Self, report: &mut Report) {
                $(report.field(stringify!($index), &self.$index, &actual.$index);)+
            }

            const EXACT: bool = $($element::EXACT)&&+;

            #[inline]
            fn magnitude(&self) -> f64 {
                let largest: f64 = 0.0;
                $(let largest = largest.max(self.$index.magnitude());)+
                largest
            }

            #[inline]
            fn drifts(&self, actual: &Self, scale: f64) -> bool {
                $(self.$index.drifts(&actual.$index, scale))|+
            }

            #[inline(always)]
            fn apart(&self, actual: &Self) -> Apart {
                Apart::NOT $(+ self.$index.apart(&actual.$index))+
            }
        }
    )*};
}

compare_tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::mismatches;

    fn paths<T: Compare + ?Sized>(expected: &T, actual: &T) -> Vec<String> {
        mismatches(expected, actual).into_iter().map(|mismatch| mismatch.to_string()).collect()
    }

    #[test]
    fn every_container_says_which_element_differs() {
        let element = ["[1]: expected 2, found 5"];
        assert_eq!(paths(&[1, 2, 3][..], &[1, 5, 3]), element);
        assert_eq!(paths(&[1, 2, 3], &[1, 5, 3]), element);
        assert_eq!(paths(&vec![1, 2, 3], &vec![1, 5, 3]), element);
        assert_eq!(paths(&VecDeque::from([1, 2, 3]), &VecDeque::from([1, 5, 3])), element);
        assert_eq!(paths(&Box::new([1, 2, 3]), &Box::new([1, 5, 3])), element);
        assert_eq!(paths(&&mut [1, 2, 3][..], &&mut [1, 5, 3][..]), element);
        assert_eq!(paths(&BTreeMap::from([(0, 1), (1, 2)]), &BTreeMap::from([(0, 1), (1, 5)])), element);
        assert_eq!(paths(&HashMap::from([(0, 1), (1, 2)]), &HashMap::from([(0, 1), (1, 5)])), element);
    }

    #[test]
    fn a_path_goes_through_all_levels() {
        let expected = (Some(vec![(1, 'a')]), 0..4, 1.5);
        let actual = (Some(vec![(1, 'b')]), 0..5, 1.5);
        assert_eq!(
            paths(&expected, &actual),
            [".0.unwrap()[0].1: expected 'a', found 'b'", ".1.end: expected 4, found 5",]
        );
    }

    #[test]
    fn a_different_shape_is_one_mismatch() {
        assert_eq!(paths(&vec![1, 2], &vec![7]), [".len(): expected 2, found 1"]);
        assert_eq!(paths(&Some(1), &None), ["expected Some(_), found None"]);
        assert_eq!(
            paths(&BTreeMap::from([("a", 1)]), &BTreeMap::from([("b", 1)])),
            ["[\"a\"]: expected a value, found no value", "[\"b\"]: expected no value, found a value",]
        );
    }
}
