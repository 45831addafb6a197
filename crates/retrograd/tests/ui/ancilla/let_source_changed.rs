use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut f64, y: &mut f64) {
    let old = *x;
    *x += 1.0;
    *y += old;
}

fn main() {}
