use retrograd::prelude::*;

#[reversible]
fn double(x: &mut f64) {
    *x += *x;
}

fn main() {}
