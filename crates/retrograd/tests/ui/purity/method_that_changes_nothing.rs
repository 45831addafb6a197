use retrograd::prelude::*;

#[reversible]
fn use_it(x: &mut f64, y: f64) {
    *x += 1.0;
    y.sin();
}

fn main() {}
