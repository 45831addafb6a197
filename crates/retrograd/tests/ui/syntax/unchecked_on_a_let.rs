use retrograd::prelude::*;

#[reversible]
fn use_it(x: f64, y: &mut f64) {
    #[unchecked]
    let t = x;
    *y += t;
}

fn main() {}
