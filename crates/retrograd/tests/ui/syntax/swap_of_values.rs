use retrograd::prelude::*;

#[reversible]
fn use_it(x: &mut f64, y: f64) {
    swap(x, y);
}

fn main() {}
