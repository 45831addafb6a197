use retrograd::prelude::*;

#[reversible(record)]
fn square(x: &mut f64) {
    *x = *x * *x;
}

fn main() {
    let (mut x, mut gx) = (1.0, 2.0);
    square::unpullback((&mut x, &mut gx));
}
