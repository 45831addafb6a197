use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut [f64], y: &mut f64) {
    let mut k = 0;
    let mut t = x[k];
    k += 1;
    x[k - 1] += 1.0;
    *y += t;
}

fn main() {}
