use retrograd::prelude::*;

#[reversible]
fn shift<T: Real>(y: &mut T, x: &mut [(T, T)]) {
    for (a, b) in x.iter_mut() {
        *a += 1.0;
        *y += *b * x[0].1;
    }
}

fn main() {}
