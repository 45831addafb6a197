use retrograd::prelude::*;

#[reversible(derivatives = "never")]
fn scale(x: &mut f64, by: f64) {
    *x *= by;
}

fn main() {
    scale::pullback((&mut 1.0, &mut 1.0), (2.0, &mut 0.0));
}
