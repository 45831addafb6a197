use retrograd::prelude::*;

#[reversible]
fn first(x: &[f64], y: &mut f64) {
    for i in 0..x.len() {
        if x[i] > 0.0 {
            *y += x[i];
            break;
        }
    }
}

fn main() {}
