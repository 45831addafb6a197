use retrograd::prelude::*;

#[reversible]
fn mix(#[constant] shift: &mut f64, x: f64) {
    let twice = 2.0 * x;
    *shift += twice;
}

fn main() {}
