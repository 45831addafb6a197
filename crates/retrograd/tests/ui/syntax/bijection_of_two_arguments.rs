use retrograd::prelude::*;

#[bijection(inverse = x - y)]
fn shifted(x: f64, y: f64) -> f64 {
    x + y
}

fn main() {}
