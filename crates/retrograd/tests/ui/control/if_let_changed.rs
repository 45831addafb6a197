use retrograd::prelude::*;

#[reversible]
fn inside(x: &mut Option<f64>, y: &mut Option<f64>) {
    if let Some(_) = *x {
        swap(x, y);
    }
}

fn main() {}
