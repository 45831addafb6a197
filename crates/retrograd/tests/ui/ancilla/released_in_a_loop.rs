use retrograd::prelude::*;

#[reversible]
fn often(y: &mut f64, x: f64) {
    let mut t = x;
    for i in 0..3 {
        *y += t;
        release!(t == x);
    }
}

fn main() {}
