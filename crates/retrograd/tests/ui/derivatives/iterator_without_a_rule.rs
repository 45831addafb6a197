use retrograd::prelude::*;

#[reversible]
fn by_its_end(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |y, v| y * 0.5 + v)
}

#[reversible]
fn in_the_middle(x: &[f64]) -> f64 {
    x.iter().filter(|v| **v > 0.0).map(|v| v * v).sum::<f64>()
}

#[reversible]
fn at_its_beginning(x: &[f64]) -> f64 {
    x.chunks(2).map(|c| c[0]).sum::<f64>()
}

fn main() {}
