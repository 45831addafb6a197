//! The value of a function may borrow, if the lifetime has a name.

use retrograd::prelude::*;

#[reversible]
fn first(x: &[f64]) -> &f64 {
    &x[0]
}

#[reversible]
fn named<'a>(x: &'a [f64], y: &[f64]) -> &'a f64 {
    &x[y.len()]
}

fn main() {
    first(&[1.0]);
    named(&[1.0], &[]);
}
