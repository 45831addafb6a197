use retrograd::prelude::*;

#[reversible]
fn clip(x: &mut f64, y: f64) {
    if (y > 0.0, y > 1.0, y > 2.0) {
        *x += 1.0;
    }
}

fn main() {}
