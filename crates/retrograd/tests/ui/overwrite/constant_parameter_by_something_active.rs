use retrograd::prelude::*;

#[reversible]
fn mix(#[constant] shift: &mut f64, x: &mut f64) {
    *shift += 2.0 * *x;
}

fn main() {}
