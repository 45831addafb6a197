use retrograd::prelude::*;

#[reversible]
fn add(x: &mut f64, y: f64) {
    *x += y;
}

#[reversible]
fn named(x: f64, y: &mut f64) {
    let t = 2.0 * x;
    add(&mut t, 1.0);
    *y += t;
}

fn main() {}
