use retrograd::prelude::*;

#[reversible]
pub struct Body {
    x: f64,
}

fn main() {}
