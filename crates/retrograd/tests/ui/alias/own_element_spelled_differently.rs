use retrograd::prelude::*;

#[reversible]
fn double_one(x: &mut [f64], i: usize) {
    x[i + 1] += x[1 + i];
}

fn main() {}
