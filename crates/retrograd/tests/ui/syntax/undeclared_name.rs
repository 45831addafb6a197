use retrograd::prelude::*;

#[reversible]
fn use_it(x: &mut f64) {
    *x += velocity * 2.0;
}

fn main() {}
