use retrograd::prelude::*;

#[reversible]
fn forget(history: &mut Vec<f64>) {
    history.pop();
}

fn main() {}
