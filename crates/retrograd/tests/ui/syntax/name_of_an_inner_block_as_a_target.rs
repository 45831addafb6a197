use retrograd::prelude::*;

#[reversible]
fn use_it(x: f64, y: &mut f64) {
    if x > 0.0 {
        let mut sum = x;
        *y += sum;
    }
    sum += 1.0;
}

fn main() {}
