use retrograd::prelude::*;

#[reversible]
fn forget(x: &mut Vec<f64>) {
    x.clear();
}

fn main() {}
