use retrograd::prelude::*;

struct Point {
    x: f64,
    y: f64,
}

#[reversible]
fn on_the_parabola(x: f64) -> Point {
    Point { x, y: x * x }
}

fn main() {}
