use retrograd::prelude::*;

#[primitive(d_x = 2.0 * x, d_y = 1.0)]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
