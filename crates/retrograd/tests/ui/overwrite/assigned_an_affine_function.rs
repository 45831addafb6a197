use retrograd::prelude::*;

#[reversible]
fn horner(c: &[f64], x: f64) -> f64 {
    let mut y = 0.0;
    for i in 0..c.len() {
        y = y * x + c[i];
    }
    y
}

#[reversible]
fn average(m: &mut [f64], x: &[f64]) {
    for i in 0..x.len() {
        m[i] = 0.1 * x[i] + 0.9 * m[i];
    }
}

#[reversible]
fn mirrored(x: &mut f64, c: f64) {
    *x = c - *x / 2.0;
}

#[reversible]
fn logistic(x: &mut f64, r: f64) {
    *x = r * *x * (1.0 - *x);
}

fn main() {}
