use retrograd::prelude::*;

#[reversible]
fn polar(x: f64, y: f64) -> (f64, f64) {
    (x.hypot(y), y.atan2(x))
}

fn main() {
    let _ = polar::gradient(3.0, 4.0);
}
