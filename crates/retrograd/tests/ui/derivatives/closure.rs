use retrograd::prelude::*;

#[reversible]
fn bent(x: &mut f64, y: f64) {
    let mut scale = y;
    scale += 1.0;
    let bend = |v: f64| v * scale;
    *x += bend(y);
}

fn main() {}
