use retrograd::prelude::*;

#[reversible]
fn lift(x: &mut [f64]) {
    for v in x.iter() {
        *v += 1.0;
    }
}

fn main() {}
