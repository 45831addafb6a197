use retrograd::prelude::*;

#[reversible]
fn cumulative(x: &mut [f64]) {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        sum += x[i + 1];
        x[i] += sum;
    }
}

fn main() {}
