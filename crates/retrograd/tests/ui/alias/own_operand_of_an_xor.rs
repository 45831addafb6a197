use retrograd::prelude::*;

#[reversible]
fn vanish(x: &mut u32) {
    *x ^= *x >> 1 | *x;
}

fn main() {}
