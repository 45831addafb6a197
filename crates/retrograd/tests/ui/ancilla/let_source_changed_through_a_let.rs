use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut f64, y: &mut f64) {
    let old = *x;
    let twice = 2.0 * old;
    *x += 1.0;
    *y += twice;
}

fn main() {}
