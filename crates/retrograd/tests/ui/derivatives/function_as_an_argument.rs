use retrograd::prelude::*;

#[reversible]
fn apply(x: &mut f64, y: f64, f: fn(f64) -> f64) {
    *x += f(y);
}

fn main() {}
