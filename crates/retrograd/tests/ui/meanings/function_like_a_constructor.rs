//! A function whose name begins like that of a struct.

use retrograd::prelude::*;

#[allow(non_snake_case)]
fn Pair(a: f64, b: f64) -> (f64, f64) {
    (a * b, a)
}

#[reversible]
fn sum(x: f64, y: f64) -> f64 {
    let p = Pair(x, y);
    p.0 + p.1
}

#[derive(Active, Clone, Copy)]
struct Wrapped<T>(T);

#[derive(Active, Clone, Copy)]
enum Either<T> {
    Left(T),
    Right(T),
}

#[reversible]
fn real_ones(x: f64) -> f64 {
    let w = Wrapped(x * x);
    let e = if x > 0.0 { Either::Left(w.0) } else { Either::Right(x) };
    match e {
        Either::Left(a) => a,
        Either::Right(b) => b,
    }
}

fn main() {}
