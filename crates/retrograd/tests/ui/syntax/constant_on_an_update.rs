use retrograd::prelude::*;

#[reversible]
fn use_it(y: &mut f64, x: f64) {
    #[constant]
    *y += x;
}

fn main() {}
