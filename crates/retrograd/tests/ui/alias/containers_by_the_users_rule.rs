use std::ops::{Index, IndexMut};

use retrograd::prelude::*;

#[derive(Active)]
struct Ring {
    values: Vec<f64>,
}

impl Index<usize> for Ring {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.values[i % self.values.len()]
    }
}

impl IndexMut<usize> for Ring {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        let n = self.values.len();
        &mut self.values[i % n]
    }
}

impl Ring {
    fn len(&self) -> f64 {
        self.values.iter().sum()
    }
}

#[reversible(derivatives = "never")]
fn visibly_different(ring: &mut Ring, i: usize) {
    ring[i] += ring[i + 2];
}

#[reversible(derivatives = "never")]
fn different_at_run_time(ring: &mut Ring, i: usize, j: usize) {
    ring[i] *= ring[j];
}

#[reversible(derivatives = "never")]
fn swapped(rings: &mut [Ring], i: usize) {
    swap(&mut rings[0][i], &mut rings[1][i]);
}

#[reversible(derivatives = "never")]
fn viewed(rings: &mut Vec<Ring>) {
    let x = &mut rings[0][3];
    *x += 1.0;
}

#[reversible(derivatives = "never")]
fn length(ring: &mut Ring, x: &mut f64) {
    *x += ring.len();
}

fn main() {}
