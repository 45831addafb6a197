use retrograd::prelude::*;

#[reversible]
fn largest(best: &mut f64, x: &[f64]) {
    for i in 0..x.len() {
        *best = best.max(x[i]);
    }
}

fn main() {}
