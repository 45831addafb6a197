use retrograd::prelude::*;

#[reversible]
fn exchange(a: &mut f64, b: &mut f64) {
    (*a, *b) = (*b, *a);
}

fn main() {}
