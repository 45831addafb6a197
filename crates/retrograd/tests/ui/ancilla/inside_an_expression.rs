use retrograd::prelude::*;

#[reversible]
fn hidden(y: &mut f64, x: f64) {
    *y += {
        let mut t = x;
        t * t
    };
}

fn main() {}
