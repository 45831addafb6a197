use retrograd::prelude::*;

#[reversible]
fn sliding(x: &mut [f64], k: &mut usize) {
    let v = &mut x[*k..];
    *k += 1;
    v[0] += 1.0;
}

fn main() {}
