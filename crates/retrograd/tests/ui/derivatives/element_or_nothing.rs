//! Elements that may be missing have no derivative: those at an index do.

use retrograd::prelude::*;

#[reversible]
fn ends(x: &[f64]) -> f64 {
    *x.first().unwrap() * x.last().copied().unwrap_or(1.0)
}

#[reversible]
fn somewhere(x: &Vec<f64>, i: usize) -> f64 {
    match x.get(i) {
        Some(v) => v * v,
        None => 1.0,
    }
}

#[reversible(record)]
fn largest(x: &[f64]) -> f64 {
    let m = x.iter().copied().reduce(f64::max);
    m.unwrap_or(0.0)
}

#[reversible(record)]
fn first_of_a_local(x: &[f64]) -> f64 {
    let mut own = x.to_vec();
    own[0] *= 2.0;
    *own.first().unwrap() * x[1]
}

fn main() {}
