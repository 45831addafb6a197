use retrograd::prelude::*;

#[reversible]
fn use_it(x: f64, y: &mut f64) {
    *y += if x > 0.0 { x };
}

fn main() {}
