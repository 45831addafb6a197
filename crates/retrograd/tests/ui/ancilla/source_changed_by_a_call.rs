use retrograd::prelude::*;

#[reversible]
fn shift(x: &mut f64) {
    *x += 1.0;
}

#[reversible]
fn stale(x: &mut f64, y: &mut f64) {
    let mut t = 0.0;
    t += *x;
    shift(x);
    *y += t;
}

fn main() {}
