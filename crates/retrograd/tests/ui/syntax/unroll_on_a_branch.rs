use retrograd::prelude::*;

#[reversible]
fn use_it(x: f64, y: &mut f64) {
    #[unroll(4)]
    if x > 0.0 {
        *y += 1.0;
    }
}

fn main() {}
