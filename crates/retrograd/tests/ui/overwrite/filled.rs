use retrograd::prelude::*;

#[reversible]
fn zero(x: &mut [f64]) {
    x.fill(0.0);
}

fn main() {}
