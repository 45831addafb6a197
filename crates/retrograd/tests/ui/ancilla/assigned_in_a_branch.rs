use retrograd::prelude::*;

#[reversible]
fn larger(y: &mut f64, a: f64, b: f64) {
    let mut best = a;
    if b > a {
        best = b;
    }
    *y += best;
}

fn main() {}
