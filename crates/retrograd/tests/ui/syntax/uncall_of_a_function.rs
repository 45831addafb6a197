use retrograd::prelude::*;

#[reversible]
fn square(x: f64) -> f64 {
    x * x
}

#[reversible]
fn use_it(y: &mut f64) {
    square::uncall(y);
}

fn main() {}
