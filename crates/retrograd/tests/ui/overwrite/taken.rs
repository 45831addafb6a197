use retrograd::prelude::*;

#[reversible]
fn empty(x: &mut Vec<f64>) {
    std::mem::take(x);
}

fn main() {}
