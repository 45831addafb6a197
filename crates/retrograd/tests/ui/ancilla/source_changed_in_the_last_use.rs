use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut [f64]) {
    let mut total = 0.0;
    for i in 0..x.len() {
        total += x[i];
    }
    for i in 0..x.len() {
        x[i] += total;
    }
}

fn main() {}
