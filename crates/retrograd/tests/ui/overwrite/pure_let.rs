use retrograd::prelude::*;

#[reversible]
fn named(x: f64, y: &mut f64) {
    let t = 2.0 * x;
    t += 1.0;
    *y += t;
}

fn main() {}
