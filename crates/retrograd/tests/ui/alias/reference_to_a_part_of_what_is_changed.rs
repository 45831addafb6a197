use retrograd::prelude::*;

#[reversible]
fn smooth<T: Real>(x: &mut [T]) {
    let others = &x[1..3];
    x[0] += others[0];
    x[0] *= others[1];
}

fn main() {}
