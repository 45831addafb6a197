use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut f64, y: &mut f64) {
    let scaled = |c: f64| c * *x;
    *x += 1.0;
    *y += scaled(2.0);
}

fn main() {}
