use retrograd::prelude::*;

pub struct Body {
    x: f64,
    v: f64,
}

#[reversible]
impl Body {
    fn stop(&mut self) {
        self.v = 0.0;
    }
}

fn main() {}
