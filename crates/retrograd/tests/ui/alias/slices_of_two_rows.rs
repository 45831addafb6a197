//! Slices in two rows of one matrix cannot be lent both at once.

use retrograd::prelude::*;

#[reversible]
fn add(y: &mut [f64], x: &[f64]) {
    for i in 0..y.len() {
        y[i] += x[i];
    }
}

#[reversible]
fn rows(a: &mut [[f64; 3]], k: usize) {
    add(&mut a[0][1..3], &a[k][0..2]);
}

fn main() {}
