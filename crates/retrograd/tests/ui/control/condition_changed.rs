use retrograd::prelude::*;

#[reversible]
fn clip(x: &mut f64) {
    if *x > 10.0 {
        *x -= 10.0;
    }
}

fn main() {}
