use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut [f64], y: &mut f64) {
    let mut window = 0..3;
    let mut t = x[window.clone()][1];
    window.start += 1;
    x[window.clone()][0] += 5.0;
    *y += t;
}

fn main() {}
