use retrograd::Shared;
use retrograd::prelude::*;

trait Mine {}
impl Mine for f64 {}

#[reversible]
fn f<T: Real + Mine>(w: &Shared<T>, x: T) -> T {
    w.spread() * x
}

fn main() {
    f::gradient_over(&2.0, &[1.0, 2.0]);
}
