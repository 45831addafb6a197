use retrograd::prelude::*;

#[derive(Active)]
struct Point {
    x: f64,
    y: f64,
}

#[reversible]
fn turned(p: &Point) -> Point {
    Point { x: p.y, y: p.x }
}

fn main() {
    let _ = turned::gradient(&Point { x: 1.0, y: 2.0 });
}
