use retrograd::prelude::*;

#[reversible]
fn positive(x: &[f64], y: &mut f64) {
    for i in 0..x.len() {
        if x[i] < 0.0 {
            continue;
        }
        *y += x[i];
    }
}

fn main() {}
