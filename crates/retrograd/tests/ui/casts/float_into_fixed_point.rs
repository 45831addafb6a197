use retrograd::numbers::cast;
use retrograd::{Fixed, prelude::*};

#[reversible(derivatives = "never")]
fn fix(x: &mut f64, y: &mut Fixed<32>) {
    cast(x, y);
}

fn main() {}
