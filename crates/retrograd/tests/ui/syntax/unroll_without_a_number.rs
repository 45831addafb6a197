use retrograd::prelude::*;

#[reversible]
fn use_it(y: &mut [f64; 4]) {
    #[unroll]
    for i in 0..4 {
        y[i] += 1.0;
    }
}

fn main() {}
