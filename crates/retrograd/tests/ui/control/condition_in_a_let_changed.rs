use retrograd::prelude::*;

#[reversible]
fn clip(x: &mut f64) {
    let large = *x > 0.0;
    if large {
        *x -= 5.0;
    }
}

fn main() {}
