use retrograd::prelude::*;

#[reversible]
fn scale(x: &mut f64, by: f64) {
    *x *= by;
}

fn main() {
    let (mut x, mut grad) = (1.0, 1.0);
    scale::pullback((&mut x, &mut grad), 2.0);
}
