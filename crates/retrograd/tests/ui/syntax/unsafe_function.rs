use retrograd::prelude::*;

#[reversible]
unsafe fn use_it(x: &mut f64) {
    *x += 1.0;
}

fn main() {}
