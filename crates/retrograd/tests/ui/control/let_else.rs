use retrograd::prelude::*;

#[reversible]
fn guarded(y: &mut f64, x: Option<f64>) {
    let Some(v) = x else { return };
    *y += v;
}

fn main() {}
