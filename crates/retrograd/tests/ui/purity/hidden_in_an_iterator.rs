use retrograd::prelude::*;

#[reversible]
fn first(y: &mut f64, x: &[f64]) {
    let mut elements = x.iter();
    *y += elements.next().unwrap();
}

fn main() {}
