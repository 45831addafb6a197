use retrograd::prelude::*;

#[reversible]
fn shift(x: &mut u32) {
    *x <<= 1;
}

fn main() {}
