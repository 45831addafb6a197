use retrograd::prelude::*;

#[reversible]
fn or(x: &mut f64, y: &Option<f64>) {
    *x += y.unwrap_or_default();
}

fn main() {}
