use retrograd::prelude::*;

#[reversible]
fn collect(x: f64) -> f64 {
    #[constant]
    let mut sum = 0.0;
    sum += x;
    sum * x
}

fn main() {}
