use retrograd::prelude::*;

#[reversible]
fn use_it(x: &mut f64, step: impl Fn(&mut f64)) {
    step(x);
}

fn main() {}
