use retrograd::prelude::*;

#[reversible]
fn cumulative(x: &mut [f64], n: usize) {
    let mut k = 0;
    let mut sum = 0.0;
    while (k < n, k > 0) {
        sum += x[k];
        k += 1;
        x[k - 1] += sum;
    }
}

fn main() {}
