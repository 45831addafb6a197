//! `#[checkpoint]` goes on a loop whose iterations can be counted, and says how much may be kept.

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
fn not_counted(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 3)]
    while y > 0.5 {
        y = y.sin();
    }
    y
}

#[reversible]
fn left_early(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 3)]
    for _ in 0..n {
        y = y.sin();
        if y < 0.5 {
            break;
        }
    }
    y
}

#[reversible(record)]
fn returns(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 3)]
    for _ in 0..n {
        y = y.sin();
        if y < 0.5 {
            return y;
        }
    }
    y
}

#[reversible]
fn named_range(x: f64, range: std::ops::Range<usize>) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 3)]
    for _ in range {
        y = y.sin();
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
