use retrograd::prelude::*;

#[reversible]
fn either(x: &mut f64, y: &mut f64, c: bool) {
    let mut z = if c { x } else { y };
    *z += 1.0;
}

fn main() {}
