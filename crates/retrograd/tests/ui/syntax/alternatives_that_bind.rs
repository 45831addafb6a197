use retrograd::prelude::*;

pub enum Shape {
    Circle(f64),
    Square(f64),
}

#[reversible]
fn use_it(shape: &Shape, y: &mut f64) {
    match shape {
        Shape::Circle(size) | Shape::Square(size) => *y += *size,
    }
}

fn main() {}
