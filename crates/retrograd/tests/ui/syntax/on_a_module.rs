use retrograd::prelude::*;

#[reversible]
mod physics {
    pub fn shift(x: &mut f64) {
        *x += 1.0;
    }
}

fn main() {}
