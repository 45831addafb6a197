use retrograd::prelude::*;

#[reversible]
fn exchange(a: &mut f64, b: &mut f64) {
    *a += *b;
    *b -= *a;
}

#[reversible]
fn with_itself(x: &mut f64) {
    exchange(x, x);
}

fn main() {}
