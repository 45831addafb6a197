use retrograd::prelude::*;

#[reversible]
fn f(x: &mut [f64]) {
    x[0] = x[0];
}

fn main() {}
