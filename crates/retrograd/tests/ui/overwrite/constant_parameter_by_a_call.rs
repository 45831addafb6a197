use retrograd::prelude::*;

#[reversible]
fn add(x: &mut f64, y: f64) {
    *x += y;
}

#[reversible]
fn mix(#[constant] shift: &mut f64, x: f64) {
    add(shift, x);
}

fn main() {}
