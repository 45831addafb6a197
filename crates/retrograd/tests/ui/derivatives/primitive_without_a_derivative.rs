use retrograd::prelude::*;

#[primitive(d_x = y)]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

fn main() {}
