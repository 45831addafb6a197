//! `fill` and `copy_from_slice` of types of the user's own, in recorded programs.

use retrograd::prelude::*;
use std::ops::{Index, IndexMut};

#[derive(Active, Clone, Default)]
struct Ring<T> {
    d: Vec<T>,
}

impl<T: Copy> Ring<T> {
    fn len(&self) -> usize {
        self.d.len()
    }

    fn fill(&mut self, x: T) {
        self.d[0] = x;
    }

    fn copy_from_slice(&mut self, x: &[T]) {
        self.d[0] = x[0];
    }
}

impl<T> Index<usize> for Ring<T> {
    type Output = T;
    fn index(&self, i: usize) -> &T {
        &self.d[i]
    }
}

impl<T> IndexMut<usize> for Ring<T> {
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.d[i]
    }
}

impl retrograd::ops::Indexed for Ring<f64> {}
impl retrograd::ops::Shaped for Ring<f64> {}

#[reversible(record)]
fn filled(x: f64, y: f64) -> f64 {
    let mut r = Ring { d: vec![x, y] };
    r.fill(2.0 * x);
    r[0] + r[1]
}

#[reversible(record)]
fn copied(x: &[f64], y: f64) -> f64 {
    let mut r = Ring { d: vec![y, y] };
    r.copy_from_slice(x);
    r[0] + r[1]
}

fn main() {}
