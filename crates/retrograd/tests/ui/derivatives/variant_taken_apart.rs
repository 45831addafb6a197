use retrograd::prelude::*;

enum Shape {
    Circle(f64),
    Square { side: f64 },
}

#[reversible]
fn add_size(y: &mut f64, shape: &Shape) {
    match shape {
        Shape::Circle(radius) => *y += *radius,
        Shape::Square { side } => *y += *side,
    }
}

fn main() {}
