use retrograd::prelude::*;

#[reversible]
fn chosen<T: Real>(x: &[T], a: T) -> T {
    let half = if a > T::zero() { &x[..2] } else { &x[2..] };
    half[0] * half[1] * a
}

#[reversible(record)]
fn recorded<T: Real>(x: &[T], a: T) -> T {
    let end = if a > T::zero() { &x[0] } else { &x[1] };
    *end * a
}

#[reversible]
fn gathered<T: Real>(x: &[T]) -> T {
    let ends = [&x[0], &x[1]];
    *ends[0] * *ends[1]
}

// One number or another is a value like any other, and so is one index or another.
#[reversible]
fn numbers<T: Real>(x: &[T], a: T) -> T {
    let end = if a > T::zero() { &x[0] } else { &x[1] };
    let k = if a > T::zero() { 0 } else { 2 };
    let half = &x[k..k + 2];
    *end * half[0] * half[1]
}

fn main() {}
