use retrograd::prelude::*;

#[reversible]
fn both(y: &mut f64, x: (f64, f64)) {
    let (mut a, mut b) = x;
    a += 1.0;
    b += a;
    *y += b;
}

fn main() {}
