use retrograd::prelude::*;

#[reversible]
fn use_it(x: &mut [f64]) {
    let halves = x.split_at_mut(1);
    halves.0[0] += halves.1[0];
}

fn main() {}
