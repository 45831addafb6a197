use retrograd::prelude::*;

fn pick(x: &mut [f64]) -> &mut f64 {
    &mut x[0]
}

#[reversible]
fn lift(x: &mut [f64]) {
    *pick(x) += 1.0;
}

fn main() {}
