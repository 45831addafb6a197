use retrograd::prelude::*;

fn half(x: f64) -> f64 {
    x / 2.0
}

#[reversible]
fn shrink(x: &mut f64) {
    *x = half(*x);
}

fn main() {}
