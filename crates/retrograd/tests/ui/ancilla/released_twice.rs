use retrograd::prelude::*;

#[reversible]
fn twice(y: &mut f64, x: f64) {
    let mut t = x;
    *y += t;
    release!(t == x);
    release!(t == x);
}

fn main() {}
