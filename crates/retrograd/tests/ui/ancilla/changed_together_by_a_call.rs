use retrograd::prelude::*;

#[reversible]
fn share(a: &mut f64, b: &mut f64) {
    *a += *b;
    *b -= *a;
}

#[reversible]
fn lend(x: &mut f64) {
    let mut t = 1.0;
    share(&mut t, x);
}

fn main() {}
