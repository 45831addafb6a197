use retrograd::prelude::*;

#[reversible]
fn use_it(x: f64) {
    y += x;
}

fn main() {}
