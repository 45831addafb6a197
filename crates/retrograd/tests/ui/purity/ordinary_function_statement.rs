use retrograd::prelude::*;

fn shift(x: &mut f64) {
    *x += 1.0;
}

#[reversible]
fn use_it(x: &mut f64) {
    shift(x);
}

fn main() {}
