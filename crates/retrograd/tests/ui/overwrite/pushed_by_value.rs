use retrograd::prelude::*;

#[reversible]
fn record(history: &mut Vec<f64>, x: f64) {
    history.push(x);
}

fn main() {}
