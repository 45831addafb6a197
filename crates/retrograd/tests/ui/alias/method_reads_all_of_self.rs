use retrograd::prelude::*;

pub struct Ball {
    height: f64,
    speed: f64,
}

impl Ball {
    fn energy(&self) -> f64 {
        9.81 * self.height + 0.5 * self.speed * self.speed
    }
}

#[reversible]
fn bounce(ball: &mut Ball) {
    ball.speed += ball.energy();
}

fn main() {}
