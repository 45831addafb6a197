use retrograd::prelude::*;

#[reversible]
fn square(x: &mut f64) {
    *x *= *x;
}

fn main() {}
