use retrograd::prelude::*;

#[reversible]
fn first(x: &&[f64], n: &&usize) -> f64 {
    x[**n]
}

fn main() {}
