use retrograd::prelude::*;

#[reversible]
fn use_it(y: &mut f64, #[frozen] x: f64) {
    *y += x;
}

fn main() {}
