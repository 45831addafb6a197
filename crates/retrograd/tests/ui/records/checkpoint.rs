//! `#[checkpoint]` goes on a loop of a function, and says how much may be kept.

use retrograd::prelude::*;

#[reversible]
fn no_budget(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint]
    for _ in 0..n {
        y = y.sin();
    }
    y
}

#[reversible]
fn another_word(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint(states = 3)]
    for _ in 0..n {
        y = y.sin();
    }
    y
}

#[reversible]
fn no_loop(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 3)]
    {
        y = y.sin();
    }
    y
}

#[reversible]
fn postcondition(x: f64, n: usize) -> f64 {
    let (mut y, mut i) = (x, 0);
    #[checkpoint(snapshots = 3)]
    while (i < n, i > 0) {
        y = y.sin();
        i += 1;
    }
    y
}

#[reversible(record)]
fn procedure(x: &mut f64, n: usize) {
    #[checkpoint(snapshots = 3)]
    for _ in 0..n {
        *x = x.sin();
    }
}

#[reversible]
fn unrolled(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 3)]
    #[unroll(4)]
    for _ in 0..4 {
        y = y.sin();
    }
    y
}

fn main() {}
