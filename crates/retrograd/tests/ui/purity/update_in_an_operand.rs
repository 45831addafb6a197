use retrograd::prelude::*;

#[reversible]
fn sneaky(y: &mut f64, x: &mut f64) {
    *y += if *y > 0.0 { *x += 1.0 } else { () };
}

fn main() {}
