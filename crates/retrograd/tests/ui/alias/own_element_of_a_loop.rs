use retrograd::prelude::*;

#[reversible]
fn double_all(x: &mut [f64]) {
    for v in x.iter_mut() {
        *v += 2.0 * *v;
    }
}

fn main() {}
