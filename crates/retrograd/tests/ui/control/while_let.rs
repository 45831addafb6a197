use retrograd::prelude::*;

#[reversible]
fn walk(x: Option<f64>, y: &mut f64) {
    while let Some(v) = x {
        *y += v;
    }
}

fn main() {}
