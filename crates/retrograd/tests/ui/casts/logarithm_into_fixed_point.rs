use retrograd::numbers::cast;
use retrograd::{Fixed, LogNumber, prelude::*};

#[reversible(derivatives = "never")]
fn back(x: &mut LogNumber<Fixed<48>>, y: &mut Fixed<16>) {
    cast(x, y);
}

fn main() {}
