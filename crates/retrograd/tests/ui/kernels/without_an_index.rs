use retrograd::prelude::*;

#[reversible(kernel)]
fn scale(x: &mut [f64], factor: f64) {
    x[0] *= factor;
}

struct Grid;

#[reversible(kernel)]
impl Grid {
    fn step(&self, x: &mut [f64]) {
        x[0] += 1.0;
    }
}

fn main() {
    scale(&mut [1.0], 2.0);
}
