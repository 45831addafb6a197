//! Derivative runs of every statement.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::prelude::*;

#[reversible]
fn kick_drift<T: Real>(x: &mut [T], v: &mut [T], dt: T) {
    for i in 0..x.len() {
        v[i] -= dt * x[i];
    }
    for i in 0..x.len() {
        x[i] += dt * v[i];
    }
}

#[reversible]
fn norm<T: Real>(x: &[T]) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

#[test]
fn sums_and_products() {
    laws!(kick_drift(&mut [x] = vec![1.0, 0.0], &mut [v] = vec![0.3, 0.5], dt = 0.1));
    laws!(scalar norm(&[x] = vec![1.0, 0.5]));
}
