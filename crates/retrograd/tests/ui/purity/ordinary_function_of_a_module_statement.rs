use retrograd::prelude::*;

mod physics {
    pub fn shift(x: &mut f64) {
        *x += 1.0;
    }
}

#[reversible]
fn use_it(x: &mut f64) {
    physics::shift(x);
}

fn main() {}
