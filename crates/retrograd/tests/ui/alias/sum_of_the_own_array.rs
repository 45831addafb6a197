use retrograd::prelude::*;

#[reversible]
fn add_total(x: &mut [f64]) {
    x[0] += x.iter().sum::<f64>();
}

fn main() {}
