use retrograd::prelude::*;

#[derive(Active)]
#[active(name = CameraShadow)]
struct Camera {
    focal: f64,
}

fn main() {}
