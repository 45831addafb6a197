use retrograd::prelude::*;

#[reversible]
fn shifted(x: &mut [f64]) {
    x[1..4][0] += x[0..3][1];
}

fn main() {}
