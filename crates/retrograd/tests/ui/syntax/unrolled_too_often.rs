use retrograd::prelude::*;

#[reversible]
fn f(x: &mut [f64]) {
    #[unroll(1000000000)]
    for i in 0..x.len() {
        x[i] += 1.0;
    }
}

fn main() {}
