use retrograd::prelude::*;

#[reversible]
fn miss<T: Real>(line: &[T; 2], x: T) -> T {
    line[0] + line[1] * x
}

fn main() {
    miss::gradient_over(&[1.0, 2.0], &[0.5, 0.7]);
}
