use retrograd::prelude::*;

#[derive(Active)]
struct Camera<T: Real> {
    rotation: [T; 3],
    focal: T,
}

fn main() {
    let camera = Camera { rotation: [1.0; 3], focal: 2.0 };
    assert_eq!(camera.flatten().len(), 4);
}
