use retrograd::prelude::*;

#[reversible]
fn stretch(x: &mut f64, scale: impl Fn(f64) -> f64) {
    *x = scale(*x);
}

fn main() {}
