use retrograd::prelude::*;

#[reversible]
fn exchange(a: &mut f64, b: &mut f64) {
    *a += *b;
    *b -= *a;
}

#[reversible]
fn inside(x: &mut Option<(u32, f64)>, y: &mut f64) {
    if let Some((0, v)) = x {
        exchange(y, v);
    }
}

fn main() {}
