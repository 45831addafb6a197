use retrograd::prelude::*;

#[reversible]
fn forget(y: &mut f64, x: f64) {
    let mut t = x;
    *y += t;
    release!(t == t);
}

fn main() {}
