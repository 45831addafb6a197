use retrograd::prelude::*;

pub struct Clock {
    time: f64,
    dt: f64,
}

#[reversible(derivatives = "never")]
impl Clock {
    fn advance(&mut self, dt: f64) {
        self.time += dt;
    }

    fn tick(&mut self) {
        self.advance(self.dt);
    }
}

fn main() {}
