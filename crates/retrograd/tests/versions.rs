//! A new version of a name has the type of the old one.

use retrograd::prelude::*;

#[reversible]
fn suffixed(x: f64, y: f64) -> f64 {
    let mut n = 1u8;
    let m = n as f64;
    n = 5;
    let k = n << 7;
    x * k as f64 + m * y
}

#[reversible]
fn of_an_element(x: f64, k: &[u8]) -> f64 {
    let mut b = k[0];
    let c = b as f64;
    b = !0;
    x * b as f64 + c
}

#[reversible]
fn single(x: f32, y: f64) -> f64 {
    let mut a = x;
    let b = a as f64;
    a = 0.1;
    a as f64 * y + b * y
}

#[reversible(record)]
fn parts(x: f64) -> f64 {
    let mut a = [0u8; 2];
    let first = a[0] as f64;
    a = [!0, 1];
    let mut t = (1u8, 2.0);
    let second = t.0 as f64;
    t = (!0, x);
    let mut o = Some(1u8);
    let third = if let Some(v) = o { v as f64 } else { 0.0 };
    o = Some(!0);
    let last = if let Some(v) = o { v as f64 } else { 0.0 };
    x * (a[0] as f64 + t.0 as f64 + last) + first + second + third
}

#[reversible(record)]
fn large(x: f64) -> f64 {
    let mut m = i64::MAX;
    let k = (m / i64::MAX) as f64;
    m = 3_000_000_000;
    x * m as f64 * k
}

#[test]
fn a_new_version_has_the_type_of_the_old_one() {
    assert_eq!(suffixed(0.3, 0.7), 0.3 * 128.0 + 0.7);
    assert_eq!(suffixed::gradient(0.3, 0.7), (0.3 * 128.0 + 0.7, 128.0, 1.0));
    assert_eq!(of_an_element(1.0, &[3]), 258.0);
    assert_eq!(of_an_element::gradient(1.0, &[3]), (258.0, 255.0));
    assert_eq!(single(2.0, 1.0), 0.1_f32 as f64 + 2.0);
    assert_eq!(parts(1.0), 3.0 * 255.0 + 2.0);
    assert_eq!(parts::gradient(1.0), (3.0 * 255.0 + 2.0, 3.0 * 255.0));
    assert_eq!(large::gradient(2.0), (6e9, 3e9));
}
