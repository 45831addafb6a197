use retrograd::prelude::*;

#[reversible]
fn guarded(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return 0.0;
    }
    x / y
}

fn main() {}
