//! Laws of the procedures and index traits in `ops`.

use proptest::prelude::*;
use retrograd::check::check_inverse;
use retrograd::ops::{Overlap, ToRange};
use retrograd::prelude::*;

proptest! {
    #[test]
    fn rotate_there_and_back(a in -1e3..1e3, b in -1e3..1e3, angle in -10.0..10.0) {
        let turn = |(a, b): &mut (f64, f64)| rotate(a, b, angle);
        let back = |(a, b): &mut (f64, f64)| rotate::uncall(a, b, angle);
        prop_assert_eq!(check_inverse(&(a, b), turn, back), Ok(()));
        prop_assert_eq!(check_inverse(&(a, b), back, turn), Ok(()));
        let (mut c, mut d): (f64, f64) = (a, b);
        rotate(&mut c, &mut d, angle);
        prop_assert!((c.hypot(d) - a.hypot(b)).abs() <= 1e-12 * (1.0 + a.hypot(b)));
    }

    #[test]
    fn rotate_in_single_precision(a in -9.0..9.0_f32, b in -9.0..9.0_f32, angle in -9.0..9.0_f32) {
        let turn = |(a, b): &mut (f32, f32)| rotate(a, b, angle);
        let back = |(a, b): &mut (f32, f32)| rotate::uncall(a, b, angle);
        prop_assert_eq!(check_inverse(&(a, b), turn, back), Ok(()));
    }

    #[test]
    fn swap_there_and_back(a: String, b: String) {
        let (mut c, mut d) = (a.clone(), b.clone());
        swap(&mut c, &mut d);
        prop_assert_eq!((&c, &d), (&b, &a));
        swap::uncall(&mut c, &mut d);
        prop_assert_eq!((c, d), (a, b));
    }
}

/// The indices of a slice of length `LEN` that an index means.
const LEN: usize = 6;

fn meant(index: &(impl ToRange + Clone)) -> Vec<usize> {
    index.clone().to_range(LEN).collect()
}

/// Holds one index against all seven kinds of index made of `c` and `d`, both ways.
macro_rules! against_every_kind {
    ($index:expr, $c:expr, $d:expr) => {
        against_each!($index; $c, $c..$d, $c..=$d, ..$c, ..=$c, $c.., ..)
    };
}

macro_rules! against_each {
    ($index:expr; $($other:expr),*) => {$(
        let (one, other) = ($index, $other);
        let common = meant(&one).iter().any(|place| meant(&other).contains(place));
        assert_eq!(one.overlap(&other), common, "{one:?} and {other:?}");
        assert_eq!(other.overlap(&one), common, "{other:?} and {one:?}");
    )*};
}

#[test]
fn overlap_is_having_an_element_in_common() {
    // Every start is within the slice, so that `a..` and `..` mean an element of it.
    for a in 0..LEN {
        for b in 0..LEN {
            for c in 0..LEN {
                for d in 0..LEN {
                    against_every_kind!(a, c, d);
                    against_every_kind!(a..b, c, d);
                    against_every_kind!(a..=b, c, d);
                    against_every_kind!(..a, c, d);
                    against_every_kind!(..=a, c, d);
                    against_every_kind!(a.., c, d);
                    against_every_kind!(.., c, d);
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn tuples_overlap_if_all_components_do(a: [u8; 3], b: [u8; 3]) {
        let [a, b] = [a, b].map(|[x, y, z]| (x % 2, y % 2, z % 2));
        prop_assert_eq!(a.overlap(&b), a == b);
        let rows = |row: u8, start: u8| (usize::from(row), usize::from(start)..2);
        let expected = a.0 == b.0;
        prop_assert_eq!(rows(a.0, a.1).overlap(&rows(b.0, b.1)), expected);
    }
}
