use retrograd::prelude::*;

#[reversible]
fn lean(pairs: &mut [(f64, f64)]) {
    for (a, b) in pairs.iter_mut() {
        *a += *b;
    }
}

fn main() {}
