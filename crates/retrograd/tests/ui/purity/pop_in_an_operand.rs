use retrograd::prelude::*;

#[reversible]
fn drain(y: &mut f64, v: &mut Vec<f64>) {
    *y += v.pop().unwrap();
}

fn main() {}
