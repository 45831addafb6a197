use retrograd::prelude::*;

#[reversible]
fn square(x: f64) -> f64 {
    let y = x * x;
    y;
}

fn main() {}
