//! `array::from_fn` of a module of the user's own.

use retrograd::prelude::*;

mod array {
    pub fn from_fn<T: Copy, const N: usize, F: FnMut(usize) -> T>(mut f: F) -> [T; N] {
        [f(0); N]
    }
}

#[reversible]
fn copies(x: &[f64]) -> f64 {
    let y: [f64; 2] = array::from_fn(|i| x[i] * x[i]);
    y[0] + y[1]
}

#[reversible]
fn real_ones(x: &[f64]) -> f64 {
    let y: [f64; 2] = std::array::from_fn(|i| x[i] * x[i]);
    y[0] + y[1]
}

fn main() {}
