use retrograd::prelude::*;

#[reversible]
fn sometimes(y: &mut f64, x: f64, c: bool) {
    let mut t = x;
    *y += t;
    if c {
        release!(t == x);
    }
}

fn main() {}
