use retrograd::prelude::*;

#[reversible]
fn broken<T: Real>(x: &[T]) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum = sum.max(x[i]);
    }
    sum
}

#[reversible]
fn caller<T: Real>(y: &mut T, x: &[T]) {
    *y += broken(x);
}

fn main() {
    let mut y = broken(&[1.0, 2.0]);
    caller(&mut y, &[1.0]);
    caller::uncall(&mut y, &[1.0]);
}
