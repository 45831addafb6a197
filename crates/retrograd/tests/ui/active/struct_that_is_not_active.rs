use retrograd::prelude::*;

struct Lens {
    focal: f64,
}

#[derive(Active)]
struct Camera {
    lens: Lens,
}

fn main() {}
