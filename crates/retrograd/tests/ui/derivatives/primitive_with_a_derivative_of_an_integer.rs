use retrograd::prelude::*;

#[primitive(d_x = n as f64, d_n = x)]
fn times(x: f64, n: i32) -> f64 {
    x * n as f64
}

fn main() {}
