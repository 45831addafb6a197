use retrograd::prelude::*;

#[reversible]
fn renamed(x: &mut f64) {
    let mut y = { x };
    *y += 1.0;
}

fn main() {}
