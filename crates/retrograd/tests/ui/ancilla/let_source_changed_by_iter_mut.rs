use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut [f64]) {
    let first = x[0];
    for v in x.iter_mut() {
        *v += first;
    }
}

fn main() {}
