use retrograd::prelude::*;

#[reversible]
fn sneaky(y: &mut f64) {
    *y += loop {
        break 1.0;
    };
}

fn main() {}
