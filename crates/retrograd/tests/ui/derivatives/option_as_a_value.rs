use retrograd::prelude::*;

#[reversible]
fn root(x: f64) -> Option<f64> {
    Some(x.sqrt())
}

fn main() {
    let _ = root(2.0);
}
