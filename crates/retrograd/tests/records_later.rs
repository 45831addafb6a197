//! Locals that begin without a value, in programs with a record: they get it in a loop, on several ways, or side by side.

#[macro_use]
mod against_dual;

use retrograd::prelude::*;

#[reversible(record)]
fn in_a_loop<T: Real>(x: &[T]) -> T {
    let mut t;
    let mut sum = T::zero();
    for i in 0..x.len() {
        t = x[i] * x[i];
        t *= 2.0;
        sum += t.sin() * t;
    }
    sum
}

#[reversible(record)]
fn while_it_lasts<T: Real>(x: &[T]) -> T {
    let (mut t, last): (T, T);
    let mut sum = T::zero();
    let mut i = 0;
    while i < x.len() {
        t = x[i] * sum.cos();
        if t > 0.5 {
            t *= x[i];
        }
        sum = sum * 0.5 + t.exp();
        i += 1;
    }
    last = x[x.len() - 1];
    sum * last
}

#[reversible(record)]
fn on_several_ways<T: Real>(x: &[T]) -> T {
    let mut y;
    let mut sum = T::zero();
    for i in 0..x.len() {
        if x[i] > 1.0 {
            y = x[i] * x[i];
        } else {
            y = x[i].sin();
            y *= y;
        }
        sum += y * x[0];
    }
    sum
}

#[reversible(record)]
fn side_by_side<T: Real>(x: &[T]) -> T {
    let (mut a, (b, mut c));
    a = x[0];
    b = x[1];
    c = a * b;
    a *= c;
    c = a.sin();
    a * b * c
}

#[reversible(record)]
fn vectors<T: Real>(x: &[T]) -> T {
    let mut v;
    let mut sum = T::zero();
    for i in 0..x.len() {
        v = vec![x[i]; i + 1];
        v[0] *= x[0];
        sum += v[0] * v[i];
    }
    sum
}

#[test]
fn locals_without_a_value_get_it_anywhere() {
    for x in [[0.7, 1.2, -0.4], [2.0, 0.3, 1.5]] {
        agrees!(in_a_loop, x);
        agrees!(while_it_lasts, x);
        agrees!(on_several_ways, x);
        agrees!(side_by_side, x);
        agrees!(vectors, x);
    }
}

#[reversible(record)]
fn summed(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut all = 0.0;
    for k in 0..2 {
        sum = x.iter().map(|x| x * x).sum();
        all += sum * (k as f64 + all);
    }
    sum * all
}

#[reversible(record)]
fn multiplied(x: &[f64]) -> f64 {
    let mut product = 1.0;
    if x.len() > 1 {
        product = x.iter().product();
    }
    product * product
}

#[test]
fn sums_are_assigned_to_locals_that_begin_as_literals() {
    let x = [0.7, 1.2, -0.4];
    let s: f64 = x.iter().map(|x| x * x).sum();
    // Behind the first iteration `all` is zero, and behind the second one it is the sum.
    let (value, gradient) = summed::gradient(&x);
    assert!((value - s * s).abs() < 1e-12, "{value}");
    for (g, x) in gradient.iter().zip(x) {
        assert!((g - 2.0 * s * 2.0 * x).abs() < 1e-12, "{gradient:?}");
    }
    let p = 0.7 * 1.2 * -0.4;
    assert_eq!(summed::pushforward((&x, &[1.0, 0.0, 0.0])).1, gradient[0]);
    let (value, gradient) = multiplied::gradient(&x);
    assert!((value - p * p).abs() < 1e-12);
    for (g, x) in gradient.iter().zip(x) {
        assert!((g - 2.0 * p * p / x).abs() < 1e-12, "{gradient:?}");
    }
}
