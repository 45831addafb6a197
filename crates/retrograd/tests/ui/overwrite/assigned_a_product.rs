use retrograd::prelude::*;

#[reversible]
fn scale(x: &mut [f64], y: f64) {
    x[0] = y * x[0];
}

fn main() {}
