use retrograd::prelude::*;

#[reversible]
fn largest(x: &[f64]) -> f64 {
    x.iter().copied().fold(0.0, f64::max)
}

fn main() {}
