use retrograd::prelude::*;

#[reversible]
fn square(x: f64) -> f64 {
    x * x
}

#[reversible]
fn use_it(x: &mut f64) {
    square(*x);
}

fn main() {}
