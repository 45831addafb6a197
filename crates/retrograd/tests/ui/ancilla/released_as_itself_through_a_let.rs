use retrograd::prelude::*;

#[reversible]
fn forget(y: &mut f64, x: f64) {
    let mut t = x;
    let next = t + 1.0;
    *y += t;
    release!(t == next - 1.0);
}

fn main() {}
