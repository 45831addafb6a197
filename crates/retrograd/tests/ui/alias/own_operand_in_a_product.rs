use retrograd::prelude::*;

#[reversible]
fn grow(x: &mut f64, rate: f64) {
    *x += *x * rate;
}

fn main() {}
