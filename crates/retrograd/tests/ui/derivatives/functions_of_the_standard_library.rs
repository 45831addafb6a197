use retrograd::prelude::*;

#[reversible]
fn boxed_slice<T: Real>(x: T) -> T {
    let pair = Box::from([x, x * x]);
    pair[0] + pair[1]
}

#[reversible]
fn vector_from_an_array<T: Real>(x: T) -> T {
    let pair = Vec::from([x, x * x]);
    pair[0] + pair[1]
}

fn main() {
    boxed_slice::gradient(1.0);
}
