use retrograd::prelude::*;

#[derive(Active)]
struct Mixed {
    single: f32,
    double: Vec<f64>,
}

fn main() {}
