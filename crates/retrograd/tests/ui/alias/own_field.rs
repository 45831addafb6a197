use retrograd::prelude::*;

pub struct Body {
    x: f64,
    v: f64,
}

#[reversible]
impl Body {
    fn drift(&mut self, dt: f64) {
        self.x += dt * self.v + self.x;
    }
}

fn main() {}
