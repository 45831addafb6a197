use retrograd::prelude::*;

#[reversible]
fn chain(x: &mut f64, c: bool) {
    if c {
        *x += 1.0;
    } else if *x > 0.0 {
        *x -= 1.0;
    }
}

fn main() {}
