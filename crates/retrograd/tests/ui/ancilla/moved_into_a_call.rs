use retrograd::prelude::*;

#[reversible]
fn add_all(y: &mut f64, x: Vec<f64>) {
    for i in 0..x.len() {
        *y += x[i];
    }
}

#[reversible]
fn give_away(y: &mut f64, n: usize) {
    let mut v = vec![1.0; n];
    v[0] += 1.0;
    add_all(y, v);
}

fn main() {}
