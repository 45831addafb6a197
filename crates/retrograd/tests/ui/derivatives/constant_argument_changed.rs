use retrograd::prelude::*;

#[reversible]
fn collect(#[constant] sum: &mut f64, x: f64) {
    *sum += x;
}

fn main() {}
