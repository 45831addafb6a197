use retrograd::prelude::*;

#[derive(Active, Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

#[reversible]
fn moved(p: Point, by: f64) -> f64 {
    let q = Point { x: p.x + by, ..p };
    q.x * q.y
}

fn main() {}
