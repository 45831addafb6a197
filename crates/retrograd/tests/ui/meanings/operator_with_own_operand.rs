//! Operators between a number and a type of the user's own.

use retrograd::prelude::*;
use std::ops::{Add, Div, Rem};

#[derive(Clone, Copy)]
struct Percent(f64);

impl Add<Percent> for f64 {
    type Output = f64;
    fn add(self, p: Percent) -> f64 {
        self * (1.0 + p.0 / 100.0)
    }
}

impl Div<f64> for Percent {
    type Output = f64;
    fn div(self, x: f64) -> f64 {
        self.0 / (x * x)
    }
}

impl Rem<Percent> for f64 {
    type Output = f64;
    fn rem(self, p: Percent) -> f64 {
        self * p.0
    }
}

#[reversible]
fn raised(x: f64, #[constant] by: Percent) -> f64 {
    x + by
}

#[reversible]
fn divided(x: f64, #[constant] by: Percent) -> f64 {
    by / x
}

#[reversible]
fn remaining(x: f64, #[constant] by: Percent) -> f64 {
    x % by
}

#[reversible]
fn generic<T: Real + Add<K, Output = T>, K: Copy>(x: T, #[constant] by: K) -> T {
    x + by
}

fn main() {}
