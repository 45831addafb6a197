use retrograd::prelude::*;

#[reversible]
fn double_through_view(x: &mut [f64]) {
    let v = &mut x[1..3];
    v[0] += v[0];
}

fn main() {}
