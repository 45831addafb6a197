use retrograd::prelude::*;

#[reversible]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {
    square::unpullback((3.0, &mut 0.0), 1.0);
}
