use retrograd::prelude::*;

#[reversible]
fn exchange(a: &mut f64, b: &mut f64) {
    *a += *b;
    *b -= *a;
}

#[reversible]
fn same_element(x: &mut [f64]) {
    exchange(&mut x[1..4][0], &mut x[0..3][1]);
}

fn main() {}
