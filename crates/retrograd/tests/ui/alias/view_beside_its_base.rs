use retrograd::prelude::*;

#[reversible]
fn shift<T: Real>(x: &mut [T]) {
    let rest = &mut x[1..];
    rest[0] += 1.0;
    x[0] += rest[0];
}

fn main() {}
