use retrograd::prelude::*;

#[reversible]
fn renamed(x: &mut f64) {
    let mut t = 1.0;
    let y = &mut t;
    *y += 1.0;
    *x += t;
}

fn main() {}
