use retrograd::prelude::*;

#[reversible]
fn use_it(x: f64, y: &mut f64) {
    if x > 0.0 {
        const SCALE: f64 = 2.0;
        *y += SCALE * x;
    }
}

fn main() {}
