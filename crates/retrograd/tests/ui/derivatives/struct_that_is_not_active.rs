use retrograd::prelude::*;

struct Point {
    x: f64,
}

#[reversible]
fn shift(p: &mut Point, by: f64) {
    p.x += by;
}

fn main() {}
