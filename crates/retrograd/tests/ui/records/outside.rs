use retrograd::prelude::*;

#[reversible(record)]
fn question(x: &[f64], at: Option<usize>) -> f64 {
    let i = at?;
    x[i]
}

#[reversible(record)]
fn unseen(x: &[f64]) -> f64 {
    let first = unsafe { *x.get_unchecked(0) };
    first * first
}

#[reversible(record)]
fn later(x: f64) -> f64 {
    let y = async { x };
    x
}

#[reversible(record)]
fn captures(x: f64) -> f64 {
    let mut scale = x;
    scale *= 2.0;
    let scaled = |y: f64| y * scale;
    scaled(x)
}

#[reversible(record)]
fn drained(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.retain(|y| *y > 0.0);
    v[0]
}

fn main() {}
