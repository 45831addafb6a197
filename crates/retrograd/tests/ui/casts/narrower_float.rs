use retrograd::numbers::cast;
use retrograd::prelude::*;

#[reversible(derivatives = "never")]
fn shrink(x: &mut f64, y: &mut f32) {
    cast(x, y);
}

fn main() {}
