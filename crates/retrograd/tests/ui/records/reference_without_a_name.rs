use retrograd::prelude::*;

#[reversible(record)]
fn scale(y: &mut [f64], x: &[f64], k: f64) {
    for i in 0..y.len() {
        y[i] = y[i] * k + x[i] * x[0];
    }
}

#[reversible(record)]
fn without_a_name(rows: &mut [Vec<f64>], k: f64, i: usize, j: usize) {
    scale(&mut rows[i], &rows[j].clone(), k);
}

fn main() {}
