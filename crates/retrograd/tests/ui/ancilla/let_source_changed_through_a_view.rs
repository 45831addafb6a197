use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut [f64], y: &mut f64) {
    let first = x[0];
    let v = &mut x[0..2];
    v[0] += 1.0;
    *y += first;
}

fn main() {}
