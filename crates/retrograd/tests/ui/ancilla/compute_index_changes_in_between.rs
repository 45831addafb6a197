//! `x[*k - 1]` is the element that the `#[compute]` block read as `x[*k]`, before it changed `k`.

use retrograd::prelude::*;

#[reversible]
fn next(x: &mut [f64], y: &mut f64, k: &mut usize) {
    let mut t = 0.0;
    #[compute]
    {
        t += x[*k];
        *k += 1;
    }
    *y += t;
    x[*k - 1] += 1.0;
}

fn main() {}
