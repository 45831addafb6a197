use retrograd::prelude::*;

#[reversible]
fn shift(x: &mut f64, y: f64) {
    *x = *x + y;
}

fn main() {}
