use retrograd::prelude::*;

#[reversible(kernel)]
fn gather<T: Real>(#[index] i: usize, y: &mut [T], x: &[T], keys: &[usize]) {
    y[i] += x[keys[i]];
}

fn main() {
    gather::over(1, &mut [1.0], &[2.0], &[0]);
}
