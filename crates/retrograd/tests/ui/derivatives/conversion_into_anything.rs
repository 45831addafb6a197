//! What `into` gives has to be seen.

use retrograd::prelude::*;

#[reversible]
fn wide(x: f32, y: f64) -> f64 {
    let seen: f64 = x.into();
    y * seen + y.max(x.into())
}

fn main() {}
