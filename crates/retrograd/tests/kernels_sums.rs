//! Sums of all runs on devices: lanes that run together, and those of them that have no run of their own.

#![cfg(all(feature = "opencl", feature = "cuda"))]

mod devices;

use devices::{Devices, agree, numbers};
use retrograd::prelude::*;

/// What a kernel calls, and it changes an argument.
#[reversible]
fn turned(a: &mut f64, b: &mut f64, by: f64) {
    *a += *b * by;
    *b -= *a * by;
}

/// All runs add to elements of `p`: to one of them several times in a row, to many next to each other, and to those of a triangle. Between that
/// some runs take other ways, as what they change themselves says.
#[reversible(kernel)]
fn together(#[index] i: usize, y: &mut [f64], z: &mut [f64], x: &[f64], p: &[f64], counts: &[usize], rounds: usize) {
    for k in 0..40 {
        y[i] += p[k] * x[i] + p[k] * p[0];
    }
    for j in 0..6 {
        for l in 0..j {
            z[i] += p[j * (j - 1) / 2 + l] * x[i] * x[i];
        }
    }
    if y[i] > 0.5 {
        z[i] += y[i] * x[i];
        z[i] = -z[i];
    }
    for _ in 0..counts[i] {
        z[i] *= 1.25;
    }
    swap(&mut y[i], &mut z[i]);
    turned(&mut y[i], &mut z[i], 0.25);
    for round in 0..rounds {
        for k in (0..3).rev() {
            y[i] -= p[round * 3 + k] * z[i];
        }
    }
}

/// The same element by another index: a local says which.
#[reversible(kernel)]
fn by_names(#[index] i: usize, y: &mut [f64], x: &[f64], p: &[f64], rounds: usize) {
    for round in 0..rounds {
        for j in 0..4 {
            let at = round + j;
            y[i] += p[at] * x[i];
            y[i] += p[at + 1] * x[i] * x[i];
        }
    }
}

#[test]
fn lanes_without_a_run_change_nothing() {
    let devices = Devices::here();
    for n in [1, 31, 32, 33, 100, 4133] {
        agree!(devices, together(n), values 0.0, derivatives 1e-12,
            changed [y = numbers(n, -1.0, 1.0), z = numbers(n, -0.5, 1.0)]
            read [x = numbers(n, 0.1, 1.0), p = numbers(40, -0.2, 0.2)]
            numbers []
            data [counts = (0..n).map(|i| i * 7 % 5).collect::<Vec<usize>>()]
            rest [13]);
    }
}

#[test]
fn elements_that_may_be_the_same_are_added_one_after_the_other() {
    let devices = Devices::here();
    for n in [5, 64] {
        agree!(devices, by_names(n), values 0.0, derivatives 1e-12,
            changed [y = numbers(n, -1.0, 1.0)]
            read [x = numbers(n, 0.1, 1.0), p = numbers(12, -0.2, 0.2)]
            numbers []
            data []
            rest [6]);
    }
}
