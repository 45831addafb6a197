use retrograd::prelude::*;

#[reversible]
fn boxed<T: Real>(x: T) -> T {
    let square = Box::new(x * x);
    *square + x
}

#[reversible]
fn vector_from_an_array<T: Real>(x: T) -> T {
    let pair = Vec::from([x, x * x]);
    pair[0] + pair[1]
}

fn main() {
    boxed::gradient(1.0);
}
