use retrograd::prelude::*;

#[reversible]
fn product(x: f64, y: f64) -> f64 {
    let (a, pair @ (b, _)) = (x * y, (x + y, y));
    a * b * pair.1
}

fn main() {}
