use retrograd::prelude::*;

#[reversible]
fn mask(x: &mut u32) {
    *x &= 7;
}

fn main() {}
