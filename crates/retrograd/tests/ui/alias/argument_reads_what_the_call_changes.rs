use retrograd::prelude::*;

#[reversible]
fn add(x: &mut f64, y: f64) {
    *x += y;
}

#[reversible]
fn double(x: &mut f64) {
    add(x, *x + 1.0);
}

fn main() {}
