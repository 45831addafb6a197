use retrograd::prelude::*;

#[derive(Active)]
struct Lens {
    focal: f32,
}

#[derive(Active)]
struct Camera {
    lens: Lens,
    rotation: [f64; 3],
}

fn main() {}
