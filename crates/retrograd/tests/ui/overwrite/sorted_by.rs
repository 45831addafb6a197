use retrograd::prelude::*;

#[reversible]
fn order(x: &mut [f64]) {
    x.sort_by(|a, b| a.total_cmp(b));
}

fn main() {}
