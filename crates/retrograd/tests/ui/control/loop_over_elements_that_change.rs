use retrograd::prelude::*;

#[reversible]
fn feed_back(x: &mut [f64]) {
    for v in x.iter() {
        x[0] += *v;
    }
}

fn main() {}
