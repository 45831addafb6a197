use retrograd::prelude::*;

#[reversible]
fn one(y: &mut f64, x: [f64; 2]) {
    let [mut a, b] = x;
    a += b;
    *y += a;
}

fn main() {}
