use retrograd::prelude::*;

#[reversible]
fn guarded(x: Option<f64>) -> Option<f64> {
    let mut y = 1.0;
    y += x?;
    Some(y)
}

fn main() {}
