use retrograd::prelude::*;

#[reversible]
fn norm<T: Real>(x: &[T]) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

fn main() {
    let _ = norm::gradient(&[1, 2, 3]);
}
