use retrograd::prelude::*;

#[derive(Active)]
#[constant]
struct Camera {
    #[active(shadow = Focal)]
    focal: f64,
    #[constant(true)]
    size: f64,
}

fn main() {}
