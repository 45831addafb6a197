use retrograd::prelude::*;

#[reversible]
fn stale(y: &mut f64, x: f64) {
    let mut t = x;
    let twice = 2.0 * t;
    release!(t == x);
    *y += twice;
}

fn main() {}
