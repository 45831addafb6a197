use retrograd::prelude::*;

#[reversible]
fn square(x: f64) -> f64 {}

fn main() {}
