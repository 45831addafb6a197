use retrograd::prelude::*;

#[reversible]
fn wrap(x: &mut u32) {
    *x %= 7;
}

fn main() {}
