use retrograd::prelude::*;

#[reversible]
fn shift(x: &mut f64) {
    *x += 1.0;
}

#[reversible]
fn use_it(y: &mut f64, x: &mut f64) {
    *y += shift::uncall(&mut *x);
}

fn main() {}
