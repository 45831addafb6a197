use retrograd::prelude::*;

#[reversible]
fn scale(x: f64, #[constant] by: f64) -> f64 {
    x * by
}

fn main() {
    scale::pullback((3.0, &mut 0.0), (2.0, &mut 0.0), 1.0);
}
