use retrograd::prelude::*;

#[reversible(record)]
fn largest(x: &[f64]) -> f64 {
    let mut best = &x[0];
    for v in x.iter() {
        if *v > *best {
            best = v;
        }
    }
    *best * *best
}

#[reversible(record)]
fn folded(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut sum = 0.0;
    while !rest.is_empty() {
        sum = sum * 0.5 + rest[0] * rest[0];
        rest = &rest[1..];
    }
    sum
}

fn main() {
    largest::gradient(&[1.0, 2.0]);
    folded::gradient(&[1.0, 2.0]);
}
