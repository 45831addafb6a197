use std::ops::IndexMut;

use retrograd::ops::Indexed;
use retrograd::prelude::*;

trait Long {
    fn len(&self) -> f64;
}

#[reversible(derivatives = "never")]
fn visibly_different<R: IndexMut<usize, Output = f64>>(ring: &mut R, i: usize) {
    ring[i] += ring[i + 2];
}

#[reversible(derivatives = "never")]
fn length<C: Indexed + Long + IndexMut<usize, Output = f64>>(c: &mut C) {
    c[0] += c.len();
}

fn main() {}
