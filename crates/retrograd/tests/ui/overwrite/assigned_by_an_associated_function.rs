use retrograd::prelude::*;

#[reversible]
fn root(x: &mut f64) {
    *x = f64::sqrt(*x);
}

fn main() {}
