use retrograd::prelude::*;

#[derive(Active)]
struct Layer<T> {
    weights: Vec<T>,
    size: usize,
}

#[reversible]
fn apply<T: Real>(layer: &Layer<T>, x: T) -> T {
    layer.weights[layer.size - 1] * x * x
}

fn main() {
    let layer = Layer { weights: vec![1.0], size: 1 };
    let _ = apply::gradient(&layer, 2.0);
    let _ = apply::hessian(&layer, 2.0);
}
