use retrograd::prelude::*;

#[reversible]
fn inside(x: Option<f64>, y: &mut f64, c: bool) {
    if c && let Some(v) = x {
        *y += v;
    }
}

fn main() {}
