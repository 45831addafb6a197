use retrograd::prelude::*;

#[reversible]
fn largest(x: &[f64]) -> f64 {
    let mut best = 0;
    for i in 1..x.len() {
        if x[i] > x[best] {
            best = i;
        }
    }
    x[best]
}

fn main() {}
