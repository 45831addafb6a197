use retrograd::prelude::*;

#[reversible]
fn give_away(y: &mut f64, x: Vec<f64>) {
    let mut v = x;
    v[0] += 1.0;
    *y += v[0];
}

fn main() {}
