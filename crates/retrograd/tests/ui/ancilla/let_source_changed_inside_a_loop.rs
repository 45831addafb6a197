use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut [f64], y: &mut [f64]) {
    for i in 0..x.len() {
        let old = x[i];
        x[i] *= 2.0;
        y[i] += old;
    }
}

fn main() {}
