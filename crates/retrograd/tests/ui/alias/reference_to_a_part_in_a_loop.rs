use retrograd::prelude::*;

#[reversible]
fn gather(x: &mut [f64]) {
    let (front, back) = (&x[..2], &x[3..]);
    for i in 0..2 {
        x[2] += front[i] * back[i];
    }
}

fn main() {}
