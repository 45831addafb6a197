use retrograd::prelude::*;

#[reversible]
fn packed(x: &mut f64, y: &mut f64) {
    let mut both = [x, y];
    *both[0] += 1.0;
}

fn main() {}
