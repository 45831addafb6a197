use retrograd::prelude::*;

#[reversible]
fn record(history: &mut Vec<f64>, x: f64) {
    history.insert(0, x);
}

fn main() {}
