use retrograd::prelude::*;

#[reversible]
fn next(x: &mut f64, y: f64) {
    *x += y.next_up();
}

fn main() {}
