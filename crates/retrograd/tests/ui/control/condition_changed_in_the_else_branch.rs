use retrograd::prelude::*;

#[reversible]
fn step(x: &mut f64, y: &mut f64) {
    if *x > 0.0 {
        *y += 1.0;
    } else {
        *x += 1.0;
    }
}

fn main() {}
