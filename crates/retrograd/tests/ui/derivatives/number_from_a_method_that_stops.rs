use retrograd::prelude::*;

#[derive(Active)]
struct Vector {
    x: f64,
    y: f64,
}

#[reversible]
impl Vector {
    fn len(&self) -> f64 {
        self.x.hypot(self.y)
    }
}

#[reversible]
fn twice(v: &Vector) -> f64 {
    2.0 * v.len()
}

fn main() {}
