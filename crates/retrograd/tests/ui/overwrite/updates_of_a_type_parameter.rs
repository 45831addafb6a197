use retrograd::prelude::*;
use std::ops::{AddAssign, Neg, SubAssign};

/// With `Saturating` integers this loses what does not fit.
#[reversible(derivatives = "never")]
fn grow<T: Copy + AddAssign + SubAssign>(x: &mut T, y: T) {
    *x += y;
}

#[reversible(derivatives = "never")]
fn turn<T: Copy + Neg<Output = T>>(x: &mut T) {
    *x = -*x;
}

fn main() {}
