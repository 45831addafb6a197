use retrograd::prelude::*;

#[reversible]
fn use_it(y: &mut f64, x: f64) {
    #[cfg(debug_assertions)]
    *y += x;
}

fn main() {}
