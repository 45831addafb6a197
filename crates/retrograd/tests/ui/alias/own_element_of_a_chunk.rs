use retrograd::prelude::*;

#[reversible]
fn double_pairs(x: &mut [f64]) {
    for pair in x.chunks_exact_mut(2) {
        pair[0] += pair[1] + pair[0];
    }
}

fn main() {}
