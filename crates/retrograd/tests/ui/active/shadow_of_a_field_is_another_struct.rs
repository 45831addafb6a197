use retrograd::prelude::*;

#[derive(Active)]
struct Layer<T> {
    weights: Vec<T>,
    size: usize,
}

#[derive(Active)]
struct Network<T> {
    layers: Vec<Layer<T>>,
    scale: T,
}

fn main() {}
