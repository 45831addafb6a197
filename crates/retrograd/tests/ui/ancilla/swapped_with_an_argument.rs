use retrograd::prelude::*;

#[reversible]
fn exchange(a: &mut f64, b: &mut f64) {
    let mut t = 0.0;
    swap(&mut t, a);
    swap(a, b);
    swap(b, &mut t);
}

fn main() {}
