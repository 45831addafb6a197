use retrograd::prelude::*;

#[reversible]
fn guarded(x: &mut f64, y: f64) {
    if y == 0.0 {
        return;
    }
    *x /= y;
}

fn main() {}
