use retrograd::prelude::*;

#[reversible]
fn step(x: &mut f64, dt: f64) -> f64 {
    *x += dt;
    *x
}

fn main() {}
