use retrograd::prelude::*;

#[reversible]
fn double_all(x: &mut [f64]) {
    for i in 0..x.len() {
        x[i] += x[i];
    }
}

fn main() {}
