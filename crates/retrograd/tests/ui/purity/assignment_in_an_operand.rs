use retrograd::prelude::*;

#[reversible]
fn sneaky(y: &mut f64, x: &mut f64) {
    *y += { *x = 1.0; 2.0 };
}

fn main() {}
