use retrograd::prelude::*;

#[reversible]
fn scale(x: &mut f64, by: f64) {
    *x *= by;
}

fn main() {
    let mut x = 1.0;
    let _ = scale::gradient(&mut x, 2.0);
}
