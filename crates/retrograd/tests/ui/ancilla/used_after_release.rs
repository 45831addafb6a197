use retrograd::prelude::*;

#[reversible]
fn late(y: &mut f64, x: f64) {
    let mut t = x;
    *y += t;
    release!(t == x);
    *y += 2.0 * t;
}

fn main() {}
