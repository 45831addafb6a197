use retrograd::prelude::*;

#[reversible]
fn add(x: &mut f64, y: f64) {
    *x += y;
}

#[reversible]
fn collect(#[constant] sum: &mut f64, x: f64) {
    add(sum, x);
}

fn main() {}
