use retrograd::prelude::*;

fn bump(x: &mut f64) -> f64 {
    *x += 1.0;
    *x
}

#[reversible]
fn sneaky(y: &mut f64, x: &mut f64) {
    *y += bump(&mut *x);
}

fn main() {}
