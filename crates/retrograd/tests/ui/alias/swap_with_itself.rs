use retrograd::prelude::*;

#[reversible]
fn nothing(x: &mut [f64], i: usize) {
    swap(&mut x[i], &mut x[i]);
}

fn main() {}
