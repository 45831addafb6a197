use retrograd::prelude::*;

#[reversible]
fn exchange(a: &mut f64, b: &mut f64) {
    *a += *b;
    *b -= *a;
}

#[reversible]
fn inside(x: &mut Option<f64>, y: &mut f64) {
    if let Some(v) = x {
        exchange(y, v);
    }
}

fn main() {}
