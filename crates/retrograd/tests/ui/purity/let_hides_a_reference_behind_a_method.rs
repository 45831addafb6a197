use retrograd::prelude::*;

#[reversible]
fn first(x: &mut [f64]) {
    let y = x.first_mut().unwrap();
    *y += 1.0;
}

fn main() {}
