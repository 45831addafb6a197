use retrograd::prelude::*;

#[reversible]
fn bent(x: &mut f64, y: f64) {
    let bend = |v: f64| v * v;
    *x += bend(y);
}

fn main() {}
