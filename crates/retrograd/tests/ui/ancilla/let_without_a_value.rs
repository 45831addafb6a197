use retrograd::prelude::*;

#[reversible]
fn later(y: &mut f64, x: f64) {
    let t;
    t = x;
    *y += t;
}

fn main() {}
