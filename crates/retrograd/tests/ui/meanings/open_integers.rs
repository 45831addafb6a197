//! Integers whose type follows from statements that a derivative run leaves out.

use retrograd::prelude::*;

fn is(_: u8) -> bool {
    true
}

#[reversible]
fn said_by_an_assertion(x: &mut f64, y: f64) {
    let k = !0;
    assert!(is(k));
    *x += k as f64 * y;
}

#[reversible]
fn said_by_a_counter(x: f64, y: f64) -> f64 {
    let mut n = 7u8;
    let mut s = 0.0;
    for i in 0..3 {
        n ^= i;
        s += x * y * (!i) as f64;
    }
    s + n as f64
}

#[reversible(record)]
fn shifted(x: f64) -> f64 {
    let mut h = 0_u64;
    let mut s = x;
    for i in 0..4 {
        let k = 1 << (31 + i);
        h ^= k;
        s = s * k as f64;
    }
    s + h as f64
}

#[reversible]
fn written(x: f64) -> f64 {
    let k = !0_u8;
    let mut m: u8 = 3;
    m ^= !0;
    x * (k as f64 + m as f64)
}

fn main() {}
