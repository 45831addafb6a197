use retrograd::prelude::*;

#[reversible]
fn width(y: &mut usize, x: f64) {
    *y += format!("{x}").len();
}

fn main() {}
