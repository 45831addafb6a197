use retrograd::prelude::*;

#[reversible]
fn rounded(x: f64) -> i64 {
    x.round() as i64
}

fn main() {
    let _ = rounded::gradient(3.5);
}
