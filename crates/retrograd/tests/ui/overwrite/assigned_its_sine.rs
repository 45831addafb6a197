use retrograd::prelude::*;

#[reversible]
fn wave(x: &mut f64) {
    *x = x.sin();
}

fn main() {}
