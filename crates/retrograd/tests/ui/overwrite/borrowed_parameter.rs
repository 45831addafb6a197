use retrograd::prelude::*;

#[reversible]
fn read_only(x: &[f64], y: f64) {
    x[0] += y;
}

fn main() {}
