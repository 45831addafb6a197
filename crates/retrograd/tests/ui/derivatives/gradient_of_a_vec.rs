use retrograd::prelude::*;

#[reversible]
fn copies(x: f64, n: usize) -> Vec<f64> {
    vec![x; n]
}

fn main() {
    let _ = copies::gradient(1.0, 3);
}
