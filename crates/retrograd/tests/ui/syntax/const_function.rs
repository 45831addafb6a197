use retrograd::prelude::*;

#[reversible]
const fn use_it(x: &mut u64) {
    *x += 1;
}

fn main() {}
