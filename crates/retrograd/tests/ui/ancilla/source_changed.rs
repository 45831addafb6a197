use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut f64, y: &mut f64) {
    let mut t = *x;
    *x += 1.0;
    *y += t;
}

fn main() {}
