use retrograd::prelude::*;

#[bijection(inverse = x - 1.0, derivative = 1.0)]
fn shifted(x: f64) -> f64 {
    x + 1.0
}

fn main() {}
