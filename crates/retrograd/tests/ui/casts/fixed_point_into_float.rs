use retrograd::numbers::cast;
use retrograd::{Fixed, prelude::*};

#[reversible(derivatives = "never")]
fn float(x: &mut Fixed<32>, y: &mut f64) {
    cast(x, y);
}

fn main() {}
