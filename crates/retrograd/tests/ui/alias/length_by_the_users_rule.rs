use retrograd::prelude::*;

pub struct Vector {
    x: f64,
    y: f64,
}

impl Vector {
    fn len(&self) -> f64 {
        self.x.hypot(self.y)
    }
}

#[reversible]
fn stretch(v: &mut Vector) {
    v.x += v.len();
}

fn main() {}
