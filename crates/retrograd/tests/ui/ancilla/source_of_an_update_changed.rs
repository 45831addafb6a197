use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut [f64], y: &mut f64) {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    x[0] -= 1.0;
    *y += sum;
}

fn main() {}
