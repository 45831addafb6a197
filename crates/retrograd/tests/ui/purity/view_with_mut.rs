use retrograd::prelude::*;

#[reversible]
fn shift(x: &mut [f64]) {
    let mut v = &mut x[1..];
    v[0] += 1.0;
}

fn main() {}
