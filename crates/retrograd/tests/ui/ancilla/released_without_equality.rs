//! A struct that cannot be compared: each end of its life says so once.

use retrograd::prelude::*;

#[derive(Active, Clone, Debug)]
struct Offset {
    by: f64,
}

#[reversible]
fn f(x: &mut f64, y: f64) {
    let mut offset = Offset { by: y };
    *x += offset.by * offset.by;
    release!(offset == Offset { by: y });
}

fn main() {}
