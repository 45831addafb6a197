//! A loop over a container of the user's own, which may go through its elements in any order.

use retrograd::prelude::*;
use std::ops::{Index, IndexMut};

#[derive(Active, Clone)]
struct Newest<T> {
    d: Vec<T>,
}

impl<T> Newest<T> {
    fn iter(&self) -> impl Iterator<Item = &T> {
        self.d.iter().rev()
    }

    fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut T> + DoubleEndedIterator {
        self.d.iter_mut().rev()
    }

    fn len(&self) -> usize {
        self.d.len()
    }
}

impl<T> Index<usize> for Newest<T> {
    type Output = T;
    fn index(&self, i: usize) -> &T {
        &self.d[i]
    }
}

impl<T> IndexMut<usize> for Newest<T> {
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.d[i]
    }
}

#[reversible]
fn in_a_loop(x: &Newest<f64>, w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (a, b) in x.iter().zip(w) {
        sum += a * b;
    }
    sum
}

#[reversible]
fn in_a_sum(x: &Newest<f64>, w: &[f64]) -> f64 {
    x.iter().zip(w.iter()).map(|(a, b)| a * b).sum()
}

#[reversible]
fn beside_a_slice(w: &[f64], #[constant] x: &Newest<f64>) -> f64 {
    w.iter().zip(x.iter()).map(|(a, b)| a * b).sum::<f64>()
}

#[reversible]
fn changed(x: &mut Newest<f64>, w: &[f64]) {
    for (a, b) in x.iter_mut().zip(w) {
        *a += b;
    }
}

fn main() {}
