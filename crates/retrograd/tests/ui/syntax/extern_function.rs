use retrograd::prelude::*;

#[reversible]
extern "C" fn use_it(x: &mut f64) {
    *x += 1.0;
}

fn main() {}
