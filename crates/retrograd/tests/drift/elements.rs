//! Elements of arrays and of sequences of structs are compared, whatever their index.

use retrograd::Direction;
use retrograd::prelude::*;

use super::is_drift;

/// Each iteration changes elements of its own, or elements in turn: all of them are compared.
#[reversible]
fn in_turn<T: Real>(x: T, a: T, n: usize) -> T {
    let mut v = [x, a];
    let mut s = 0.0;
    for i in 0..n {
        v[i % 2] *= 0.9;
        v[i % 2] += 0.2;
        s += v[i % 2] * v[i % 2];
    }
    s
}

#[reversible]
fn one_by_one<T: Real>(x: T, a: T, n: usize) -> T {
    let mut v = vec![0.0; 2];
    for k in 0..2 {
        v[k] += x + a * k as T;
    }
    let mut s = 0.0;
    for k in 0..2 {
        for _ in 0..n {
            v[k] *= 0.9;
            v[k] += 0.2;
            s += v[k] * v[k];
        }
    }
    s
}

#[test]
fn elements_are_compared_whatever_their_index() {
    assert!(!is_drift(|| in_turn::gradient(3.0, 0.1, 20)));
    assert!(is_drift(|| in_turn::gradient(3.0, 0.1, 1000)));
    assert!(!is_drift(|| one_by_one::gradient(3.0, 0.1, 20)));
    assert!(is_drift(|| one_by_one::gradient(3.0, 0.1, 500)));
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Point<T> {
    p: T,
}

#[reversible]
fn points<T: Real>(points: &[Point<T>], a: T, n: usize) -> T {
    let mut v = points.to_vec();
    let mut s = 0.0;
    for _ in 0..n {
        v[0].p *= 0.9;
        v[0].p += a;
        s += v[0].p * v[0].p;
    }
    s
}

#[test]
fn copies_of_structs_are_compared_within_the_tolerance() {
    for p in [0.3, 0.7, 1.9] {
        assert!(!is_drift(|| points::gradient(&[Point { p }], 0.7, 3)));
    }
    assert!(is_drift(|| points::gradient(&[Point { p: 3.0 }], 0.1, 800)));
}

#[reversible]
fn half<T: Real>(x: T) -> T {
    0.5 * x
}

/// Sequences that begin with as many copies of what was computed: one of them says what all were.
#[reversible]
fn copies<T: Real>(x: T, a: T, n: usize, rows: usize) -> T {
    let mut v = vec![[half(x); 40]; rows];
    let mut s = 0.0;
    for r in 0..rows {
        for _ in 0..n {
            v[r][3 * r] *= 0.9;
            v[r][3 * r] += a;
            s += v[r][3 * r] * v[r][3 * r];
        }
    }
    s
}

/// The inverse restores them too.
#[reversible]
fn spread<T: Real>(y: &mut T, x: T, a: T, n: usize) {
    let mut v = vec![half(x); 3];
    for _ in 0..n {
        v[2] *= 0.9;
        v[2] += a;
        *y += v[2] * v[2];
    }
}

#[test]
fn copies_of_what_was_computed_are_compared_with_one_of_them() {
    for rows in [0, 1, 5] {
        assert!(!is_drift(|| copies::gradient(3.0, 0.1, 20, rows)));
    }
    assert!(is_drift(|| copies::gradient(3.0, 0.1, 500, 1)) && is_drift(|| copies::gradient(3.0, 0.1, 500, 5)));
    assert!(!is_drift(|| spread::uncall(&mut 1.0, 3.0, 0.1, 20)));
    assert!(is_drift(|| spread::uncall(&mut 1.0, 3.0, 0.1, 500)));
    assert!(copies::source(Direction::Pullback).contains("keep_one(&v)"));
    assert!(!copies::source(Direction::Pullback).contains("keep(&v)"));
}
