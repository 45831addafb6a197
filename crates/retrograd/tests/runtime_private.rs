//! The paths of generated code, used from another crate as generated code uses them.

#![deny(warnings, clippy::all)]

use retrograd::{ErrorKind, Real, attempt};

/// As generated code has it.
macro_rules! check_same {
    ($site:expr, $kind:expr, $variable:expr, $expected:expr, $actual:expr) => {{
        #[allow(unused_imports)]
        use ::retrograd::private::{SameByCompare as _, SameByElements as _, SameByEquality as _};
        (&&&::retrograd::private::Pair::new($expected, $actual)).check_same($site, $kind, $variable);
    }};
}

static SITE: ::retrograd::private::Site = ::retrograd::private::Site {
    function: "program",
    file: file!(),
    line: 7,
    column: 5,
    statement: "release!(s == 0.0);",
};

fn release<T: Real>(s: T, v: &mut [T]) {
    check_same!(&SITE, ErrorKind::Released, "s", &T::zero(), &s);
    let zeros = vec![T::zero(); v.len()];
    check_same!(&SITE, ErrorKind::Released, "v", &zeros, &v);
}

#[test]
fn a_released_variable_is_compared() {
    assert!(attempt(|| release(1e-12, &mut [0.0, -1e-12])).is_ok());
    let error = attempt(|| release(0.0, &mut [0.0, 0.5])).unwrap_err();
    assert_eq!((error.kind, error.line, error.column), (ErrorKind::Released, 7, 5));
    assert_eq!((error.function, &*error.variable), ("program", "v[1]"));
    assert_eq!((&*error.expected, &*error.actual), ("0.0", "0.5"));
    assert_eq!(error.statement, "release!(s == 0.0);");
}

#[test]
fn literals_take_the_type_of_the_variable() {
    let (count, label, ratio) = (0_u64, String::new(), 0.0_f32);
    check_same!(&SITE, ErrorKind::Released, "count", &0, &count);
    check_same!(&SITE, ErrorKind::Released, "label", &"", &label);
    check_same!(&SITE, ErrorKind::Released, "ratio", &0.0, &ratio);
}

#[test]
fn updates_take_literals_and_references() {
    let (mut y, mut n, x) = (1.5_f32, 6_u8, 2.0);
    ::retrograd::private::mul_update(&mut y, 4.0, &SITE, cfg!(debug_assertions));
    ::retrograd::private::div_update(&mut y, &x, &SITE, true);
    ::retrograd::private::div_update(&mut n, 3, &SITE, false);
    assert_eq!((y, n), (3.0, 2));
}

#[test]
fn distinct_places_are_asked_for_by_index() {
    let (i, j, key) = (1, 2_usize, "a");
    let check = |overlaps| attempt(|| ::retrograd::private::check_distinct(&SITE, "x", overlaps, &(i, j))).is_ok();
    assert!(check(::retrograd::private::overlap!(&i, &j)));
    assert!(check(::retrograd::private::overlap!(&(i..j), &j)));
    assert!(!check(::retrograd::private::overlap!(&(i..=j), &j)));
    assert!(!check(::retrograd::private::overlap!(&key, &"a")));
}

#[test]
fn elements_are_lent_by_index_and_by_range() {
    use ::retrograd::private::{Disjoint as _, ToRange as _};
    fn turn<T: Real>(x: &mut [T], i: usize) {
        let n = x.len();
        let [a, b] = x.disjoint_mut([i, i + 1], &SITE);
        ::retrograd::ops::rotate(a, b, T::one());
        let [one, rest] = x.disjoint_mut([i.to_range(n), (i + 1..).to_range(n)], &SITE);
        ::retrograd::ops::rotate::uncall(&mut one[0], &mut rest[0], T::one());
    }
    let mut x = vec![3.0, 4.0, 5.0];
    turn(&mut x, 0);
    check_same!(&SITE, ErrorKind::Released, "x", &[3.0, 4.0, 5.0], &x);
}

#[test]
fn dead_code_has_the_types_of_live_code() {
    let x = vec![1, 2];
    if false {
        ::retrograd::private::pure(|| x.len());
        let _same: Vec<i32> = ::retrograd::private::never_like(&x);
    }
}
