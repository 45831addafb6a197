use retrograd::prelude::*;

#[reversible]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {
    let _ = square::hessian(3.0);
}
