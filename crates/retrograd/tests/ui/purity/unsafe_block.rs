use retrograd::prelude::*;

#[reversible]
fn raw(y: &mut f64, x: &[f64]) {
    *y += unsafe { *x.get_unchecked(0) };
}

fn main() {}
