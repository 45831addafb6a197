use retrograd::prelude::*;

#[reversible]
fn use_it((a, b): (f64, f64), y: &mut f64) {
    *y += a * b;
}

fn main() {
    let mut y = 0.0;
    use_it((1.0, 2.0), &mut y);
    use_it::uncall((1.0, 2.0), &mut y);
}
