//! Checked builds compare what loops restore on the way, too: an error that grows and decays again is seen.

use retrograd::attempt;
use retrograd::prelude::*;

use super::is_drift;

/// Stays near 1: the first half of the iterations blows errors up, the second half swallows them. Backwards it is the other way round, so
/// that `v` comes back to what it was, and has been far from it in between. By `a`, the derivative is the sum of all sines.
#[reversible(checks = "always")]
fn swell<T: Real>(a: T, n: usize) -> T {
    let mut v = 1.0;
    let mut s = 0.0;
    for i in 0..2 * n {
        v *= if i < n { 3.0 } else { 0.3 };
        v += if i < n { -2.0 } else { 0.7123 };
        s += a * v.sin();
    }
    s
}

/// The same in builds with debug assertions only.
#[reversible]
fn swell_unchecked(a: f64, n: usize) -> f64 {
    let mut v = 1.0;
    let mut s = 0.0;
    for i in 0..2 * n {
        v *= if i < n { 3.0 } else { 0.3 };
        v += if i < n { -2.0 } else { 0.7123 };
        s += a * v.sin();
    }
    s
}

#[test]
fn an_error_that_decays_again_is_seen() {
    let slope = |n| {
        let mut slope = 0.0;
        swell::pullback((1.0_f64, &mut slope), n, 1.0);
        slope
    };
    let sum = swell(1.0, 5);
    assert!((slope(5) - sum).abs() < 1e-9, "{} {sum}", slope(5));
    let error = attempt(|| slope(60)).unwrap_err();
    assert_eq!((&*error.variable, error.statement), ("v", "let mut v = 1.0;"), "{error}");
    // Of 120 iterations those whose number is a multiple of 16 are compared. Errors are largest in the middle.
    assert!(error.actual.ends_with(", in front of iteration 64"), "{error}");
    let unchecked = || swell_unchecked::pullback((1.0, &mut 0.0), 60, 1.0);
    assert_eq!(is_drift(unchecked), cfg!(debug_assertions));
}

/// The same in `uncall` and in both adjoint runs, with a loop that tests its counter.
#[reversible(checks = "always")]
fn add_swell<T: Real>(y: &mut T, a: T, n: usize) {
    let mut k = 0;
    let mut v = 1.0;
    let mut s = 0.0;
    while (k < 2 * n, k > 0) {
        v *= if k < n { 3.0 } else { 0.3 };
        v += if k < n { -2.0 } else { 0.7123 };
        s += a * v.sin();
        k += 1;
    }
    *y += s;
}

#[test]
fn loops_that_test_a_condition_are_watched_too() {
    let pullback = |n| add_swell::pullback((&mut 0.0, &mut 1.0), (1.0_f64, &mut 0.0), n);
    assert!(!is_drift(|| pullback(5)) && is_drift(|| pullback(60)));
    let unpullback = |n| add_swell::unpullback((&mut 0.0, &mut 1.0), (1.0_f64, &mut 0.0), n);
    assert!(!is_drift(|| unpullback(5)) && is_drift(|| unpullback(60)));
}

/// Locals inside of loops have loops of their own; vectors grow; an array is restored element by element.
#[reversible(checks = "always")]
fn nested<T: Real>(x: &[T], n: usize) -> T {
    let mut sum = 0.0;
    let mut v = vec![0.0; x.len()];
    for i in 0..x.len() {
        let mut w = x[i];
        for k in 0..n {
            w *= 1.0 + 0.1 * x[i];
            v[(i + k) % x.len()] += w * w;
        }
        sum += v[i].sin();
    }
    sum
}

#[test]
fn what_comes_back_passes_on_the_way() {
    assert!(!is_drift(|| nested::gradient(&[0.3, -0.7, 0.5, 0.2], 30)));
    assert!(!is_drift(|| nested::hessian(&[0.3, -0.7], 9)));
}

/// Contracts towards where it is pushed to. It is in the book.
#[reversible]
fn work(v: f64, friction: f64, push: f64, steps: usize) -> f64 {
    let mut v = v;
    let mut sum = 0.0;
    for _ in 0..steps {
        v *= 1.0 - friction;
        v += push;
        sum += friction * v * v;
    }
    sum
}

#[test]
fn an_error_says_what_the_local_was_where_it_was_compared() {
    let error = |steps| attempt(|| work::gradient(3.0, 0.1, 0.2, steps)).unwrap_err();
    // Small enough at all iterations that are compared but the first.
    let at_the_let = error(220);
    assert_eq!((at_the_let.statement, &*at_the_let.expected), ("let mut v = v;", "3.0"), "{at_the_let}");
    assert_eq!(at_the_let.actual.contains("in front of iteration 0"), cfg!(debug_assertions), "{at_the_let}");
    let on_the_way = error(300);
    assert_eq!(on_the_way.expected == "3.0".into(), !cfg!(debug_assertions), "{on_the_way}");
}

/// Two loops that restore one array, one of which waits for a sum.
#[reversible(checks = "always")]
fn restored_by_two_loops(a: &[f64], b: &[f64], s: f64) -> f64 {
    let mut v = b.to_vec();
    let mut y = 0.0;
    for i in 0..a.len() {
        y += v[i].sin() * a[i];
    }
    for i in 0..a.len() {
        v[i] += 0.3 * a[i] * s;
    }
    for i in 0..a.len() {
        v[i] *= 1.2 + 0.3 * (0.5 + b[0]).sin();
    }
    y + v[1] * v[2]
}

#[test]
fn each_loop_is_compared_with_itself() {
    let (a, b) = ([0.3, -0.7, 0.5, 0.2, 1.1], [0.9, 0.4, -0.6, 0.1, 0.8]);
    let (_, by_a, by_b, by_s) = restored_by_two_loops::gradient(&a, &b, 0.7);
    let slope = |at: &dyn Fn(f64) -> f64| (at(1e-6) - at(-1e-6)) / 2e-6;
    let moved = |x: &[f64; 5], h: f64| std::array::from_fn::<_, 5, _>(|i| if i == 2 { x[i] + h } else { x[i] });
    assert!((by_a[2] - slope(&|h| restored_by_two_loops(&moved(&a, h), &b, 0.7))).abs() < 1e-8);
    assert!((by_b[2] - slope(&|h| restored_by_two_loops(&a, &moved(&b, h), 0.7))).abs() < 1e-8);
    assert!((by_s - slope(&|h| restored_by_two_loops(&a, &b, 0.7 + h))).abs() < 1e-8);
}
