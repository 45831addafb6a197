use retrograd::prelude::*;

#[reversible]
pub fn scaled(x: f64) -> f64 {
    x * {
        const HALF: f64 = 0.5;
        HALF * x
    }
}

fn main() {}
