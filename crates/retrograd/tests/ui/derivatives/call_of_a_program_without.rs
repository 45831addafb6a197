use retrograd::prelude::*;

#[reversible(derivatives = "never")]
fn scale(x: &mut f64, by: f64) {
    *x *= by;
}

#[reversible]
fn scale_twice(x: &mut f64, by: f64) {
    scale(x, by);
    scale(x, by);
}

fn main() {}
