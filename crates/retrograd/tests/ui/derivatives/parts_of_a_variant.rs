use retrograd::prelude::*;

#[derive(Active)]
enum Shape {
    Rectangle { width: f64, height: f64 },
    Line(f64, f64, f64),
}

#[reversible]
fn flip(shape: &mut Shape) {
    if let Shape::Rectangle { width, height } = shape {
        swap(width, height);
    }
}

#[reversible]
fn turn(shape: &mut Shape, angle: f64) {
    if let Shape::Line(x, y, _) = shape {
        rotate(x, y, angle);
    }
}

#[reversible]
fn last(shape: &Shape) -> f64 {
    match shape {
        Shape::Line(.., z) => z * z,
        _ => 0.0,
    }
}

fn main() {}
