use retrograd::prelude::*;

#[reversible]
fn set(x: &mut f64, y: f64) {
    *x = y;
}

fn main() {}
