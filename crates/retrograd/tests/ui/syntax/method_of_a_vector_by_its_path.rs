//! Methods of vectors and slices, called by their paths.

use retrograd::prelude::*;

#[reversible]
fn pushed(v: &mut Vec<f64>, x: f64) {
    Vec::push(v, x);
}

#[reversible]
fn swapped(v: &mut [f64]) {
    <[f64]>::swap(v, 0, 1);
}

#[reversible(record)]
fn recorded(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    Vec::<f64>::clear(&mut v);
    v.push(2.0);
    v[0]
}

#[reversible(record)]
fn reversed(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    std::vec::Vec::reverse(&mut v);
    v[0]
}

fn main() {}
