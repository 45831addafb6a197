use retrograd::prelude::*;

#[derive(Active)]
struct Point {
    x: f64,
    y: f64,
}

impl Point {
    fn at(x: f64, y: f64) -> Point {
        Point { x, y }
    }
}

#[reversible]
fn product(x: f64, y: f64) -> f64 {
    let p = Point::at(x, y);
    p.x * p.y
}

fn main() {}
