use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut f64, y: &mut f64, z: &mut f64) {
    let old = *x;
    swap(x, y);
    *z += old;
}

fn main() {}
