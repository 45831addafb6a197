use retrograd::prelude::*;

#[reversible]
fn powers(x: f64) -> [f64; 3] {
    [x, x * x, x * x * x]
}

fn main() {
    let _ = powers::gradient(3.0);
}
