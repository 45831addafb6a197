use retrograd::prelude::*;

#[reversible]
fn exchange(a: &mut f64, b: &mut f64) {
    *a += *b;
    *b -= *a;
}

#[reversible]
fn inside(x: &mut Option<[f64; 2]>, y: &mut f64) {
    if let Some([v, _]) = x {
        exchange(y, v);
    }
}

fn main() {}
