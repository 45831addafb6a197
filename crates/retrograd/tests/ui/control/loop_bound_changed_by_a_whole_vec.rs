use retrograd::prelude::*;

#[reversible]
fn shift(x: &mut Vec<f64>, by: f64) {
    x[0] += by;
}

#[reversible]
fn shift_often(x: &mut Vec<f64>) {
    for i in 0..x.len() {
        shift(x, i as f64);
    }
}

fn main() {}
