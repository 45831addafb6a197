use retrograd::prelude::*;

#[reversible]
fn forget(y: &mut f64) {
    *y += 1.0;
    release!(t == 0.0);
}

fn main() {}
