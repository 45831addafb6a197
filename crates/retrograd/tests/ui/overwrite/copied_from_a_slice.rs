use retrograd::prelude::*;

#[reversible]
fn copy(x: &mut [f64], y: &[f64]) {
    x.copy_from_slice(y);
}

fn main() {}
