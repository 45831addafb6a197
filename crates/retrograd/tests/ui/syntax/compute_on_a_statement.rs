use retrograd::prelude::*;

#[reversible]
fn use_it(x: &mut f64, y: &mut f64) {
    #[compute]
    *x += 1.0;
    *y += *x;
}

fn main() {}
