use retrograd::prelude::*;

#[reversible]
fn forget(x: &mut f64) {
    *x -= 1.0;
    release!(x == 0.0);
}

fn main() {}
