use retrograd::numbers::cast;
use retrograd::prelude::*;

#[reversible(derivatives = "never")]
fn shrink(x: &mut i64, y: &mut i32) {
    cast(x, y);
}

fn main() {}
