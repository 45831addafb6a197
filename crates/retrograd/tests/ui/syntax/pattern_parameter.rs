use retrograd::prelude::*;

#[reversible]
fn use_it((a, b): (f64, f64), y: &mut f64) {
    *y += a * b;
}

#[reversible]
fn use_both((a, b): (f64, f64), [c, d]: [f64; 2]) -> f64 {
    a * b + c * d
}

fn main() {
    let mut y = use_both((1.0, 2.0), [3.0, 4.0]);
    use_it((1.0, 2.0), &mut y);
    use_it::uncall((1.0, 2.0), &mut y);
}
