use retrograd::prelude::*;

#[derive(Active)]
struct Point {
    x: f64,
    y: f64,
}

impl Point {
    fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }
}

#[reversible]
fn product(x: f64, y: f64) -> f64 {
    let p = Point::new(x, y);
    p.x * p.y
}

fn main() {}
