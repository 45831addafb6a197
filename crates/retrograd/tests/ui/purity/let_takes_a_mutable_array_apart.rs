use retrograd::prelude::*;

#[reversible]
fn lean(x: &mut [f64; 2]) {
    let [a, b] = x;
    *a += *b;
}

fn main() {}
