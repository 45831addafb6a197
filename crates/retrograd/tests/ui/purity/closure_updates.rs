use retrograd::prelude::*;

#[reversible]
fn tally(y: &mut f64, x: &[f64]) {
    let mut count = 0.0;
    *y += x.iter().map(|v| { count += 1.0; v * count }).sum::<f64>();
}

fn main() {}
