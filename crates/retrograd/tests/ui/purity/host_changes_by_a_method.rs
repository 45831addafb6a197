use retrograd::prelude::*;

#[reversible]
fn log(history: &mut Vec<f64>, x: f64) {
    #[host]
    history.push(x);
}

fn main() {}
