use retrograd::prelude::*;

#[reversible]
fn first(x: &[f64]) -> f64 {
    let [first, ..] = x else {
        return 0.0;
    };
    *first
}

#[reversible]
fn sorted(x: &mut [f64]) {
    x.sort_by(|a, b| a.total_cmp(b));
}

fn main() {}
