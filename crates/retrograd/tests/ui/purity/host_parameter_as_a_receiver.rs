use retrograd::prelude::*;

#[reversible]
fn record(x: &mut f64, #[host] history: &mut Stack<f64>) {
    history.push(x);
}

fn main() {}
