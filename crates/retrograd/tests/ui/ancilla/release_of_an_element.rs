use retrograd::prelude::*;

#[reversible]
fn forget(y: &mut f64, x: f64) {
    let mut t = [x, x];
    *y += t[0];
    release!(t[0] == x);
}

fn main() {}
