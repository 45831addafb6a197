use retrograd::prelude::*;

#[reversible]
fn forget(y: &mut f64, x: f64) {
    let t = 2.0 * x;
    *y += t;
    release!(t == 2.0 * x);
}

fn main() {}
