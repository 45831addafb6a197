use retrograd::prelude::*;

#[reversible]
fn positive(y: &mut f64, x: &[f64]) {
    for v in x.iter().filter(|v| **v > 0.0) {
        *y += *v;
    }
}

fn main() {}
