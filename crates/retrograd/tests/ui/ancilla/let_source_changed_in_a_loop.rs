use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut f64, y: &mut [f64]) {
    let scale = *x;
    for i in 0..y.len() {
        y[i] += scale;
        *x += 1.0;
    }
}

fn main() {}
