//! Sorting, which forgets the old order, with a record that does not.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// Sorts `a`, and puts onto `places` for each element but the first where it went among those before it.
///
/// Each element moves down, one swap at a time, until the one below is not larger. Its place is all that the way
/// back needs to know: from there it moves up to where it was. For n different elements the n − 1 places are the
/// Lehmer code of their old order, one number for each of the n! orders, so nothing shorter would do.
///
/// ```
/// use lab_corpus::programs::sort::sort;
/// use retrograd::Stack;
///
/// let (mut a, mut places) = ([30, 10, 20], Stack::new());
/// sort(&mut a, &mut places);
/// assert_eq!((a, places.as_slice()), ([10, 20, 30], &[0, 1][..]));
/// sort::uncall(&mut a, &mut places);
/// assert_eq!((a, places.len()), ([30, 10, 20], 0));
/// ```
#[reversible]
pub fn sort<T: PartialOrd>(a: &mut [T], places: &mut Stack<usize>) {
    for i in 1..a.len() {
        let mut place = i;
        while (place > 0 && a[place - 1] > a[place], place != i) {
            a.swap(place - 1, place);
            place -= 1;
        }
        places.push(&mut place);
        release!(place == 0);
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "sort",
    about: "sorts a slice, and keeps on a stack what is needed to shuffle it back",
    source: sort::source,
    demo: || {
        Demo::new(
            ([5, 2, 8, 1, 9, 3], Stack::new()),
            |(a, places): &mut ([i32; 6], Stack<usize>)| sort(a, places),
            |(a, places)| sort::uncall(a, places),
            |(a, places)| format!("a = {a:?}, places = {:?}", places.as_slice()),
        )
    },
};
