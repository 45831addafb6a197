use retrograd::prelude::*;

#[reversible(record)]
fn iterate(x: f64) -> f64 {
    fn square(x: f64) -> f64 {
        x * x
    }
    let mut y = x;
    for _ in 0..3 {
        y = square(y) + x;
    }
    y
}

fn main() {}
