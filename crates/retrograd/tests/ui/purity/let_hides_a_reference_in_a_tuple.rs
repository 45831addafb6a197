use retrograd::prelude::*;

#[reversible]
fn packed(x: &mut f64) {
    let mut pair = (x, 1.0);
    *pair.0 += pair.1;
}

fn main() {}
