use retrograd::prelude::*;

#[reversible]
fn forget(y: &mut f64, x: f64) {
    let mut v = vec![x];
    *y += v[0];
    drop(v);
}

fn main() {}
