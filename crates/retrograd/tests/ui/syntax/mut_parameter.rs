use retrograd::prelude::*;

#[reversible]
fn use_it(mut x: f64, y: &mut f64) {
    x += 1.0;
    *y += x;
}

fn main() {}
