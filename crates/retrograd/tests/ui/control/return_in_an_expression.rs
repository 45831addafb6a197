use retrograd::prelude::*;

#[reversible]
fn guarded(x: &mut f64, y: f64) {
    *x += if y > 0.0 { y } else { return };
}

fn main() {}
