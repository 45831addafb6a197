use retrograd::prelude::*;

#[reversible]
fn renew(x: &mut f64, y: f64) {
    std::mem::replace(x, y);
}

fn main() {}
