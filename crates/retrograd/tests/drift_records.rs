//! What backward runs of recorded programs compare: what they restore by subtracting, and nothing that is left as it is or that the
//! record gives back.

#[macro_use]
mod against_dual;

use retrograd::prelude::*;
use retrograd::{ErrorKind, attempt};

/// What is run again stands in a branch: in front of it, nothing is restored.
#[reversible(record)]
fn in_a_branch<T: Real>(x: &[T], n: usize) -> T {
    let mut acc = 0.0;
    acc += x[0];
    acc += x[1];
    if n > 0 {
        #[recompute]
        {
            acc = acc.sin();
        }
    }
    acc
}

#[reversible(record)]
fn in_arms<T: Real>(x: &[T], n: usize) -> T {
    let mut acc = 0.0;
    acc += x[0];
    acc += x[1] * x[0];
    match n {
        0 => acc += x[1],
        1 => {
            #[recompute]
            {
                acc = acc.sin();
                acc = acc * x[0];
            }
        }
        _ => acc = acc.cos(),
    }
    acc
}

#[reversible(record)]
fn in_loops<T: Real>(x: &[T], n: usize) -> T {
    let mut acc = 0.0;
    for i in 0..x.len() {
        acc += x[i] * x[i];
    }
    acc += x[1];
    let mut k = 0;
    while k < n {
        for _ in 0..k {
            #[recompute]
            {
                acc = acc.sin() + x[0];
            }
        }
        k += 1;
    }
    acc
}

#[reversible(record)]
fn behind_a_return<T: Real>(x: &[T], n: usize) -> T {
    let mut acc = 0.0;
    acc += x[0];
    acc += x[1];
    if n == 0 {
        return acc * x[0];
    }
    #[recompute]
    for _ in 0..n {
        acc = acc * x[1] + acc.cos();
    }
    if n == 2 {
        return acc;
    }
    acc += x[0];
    acc * acc
}

#[test]
fn what_is_not_restored_in_front_of_what_is_run_again_is_not_compared() {
    for n in 0..4 {
        agrees!(in_a_branch, [0.4, 0.7], n);
        agrees!(in_arms, [0.4, 0.7], n);
        agrees!(in_loops, [0.4, 0.7], n);
        agrees!(behind_a_return, [0.4, 0.7], n);
    }
}

/// Sums are undone by subtracting: here that loses what they were, and the sine has asked for it.
#[reversible(record)]
fn absorbed<T: Real>(x: &[T], n: usize) -> T {
    let mut sum = 0.3;
    let mut y = 1.0;
    for i in 0..n {
        y = y * sum.sin();
        sum += x[i % 2];
    }
    y
}

#[test]
fn what_is_restored_by_subtracting_is_compared() {
    agrees!(absorbed, [0.4, 0.7], 5);
    let error = attempt(|| absorbed::gradient(&[1e18, -1e18], 2)).unwrap_err();
    assert_eq!((error.kind, error.statement), (ErrorKind::Drift, "let mut sum = 0.3;"));
    assert!(error.to_string().contains("record = \"all\""), "{error}");
}

/// The same on values alone, with derivatives and without.
macro_rules! absorbing {
    ($($name:ident: $($option:meta)?;)*) => {$(
        #[reversible(record $(, $option)?)]
        fn $name(y: &mut f64, z: &mut f64, x: f64, n: usize) {
            let mut sum = 0.3;
            for _ in 0..n {
                *y += sum.sin();
                *z = *z * 0.5 + *y;
                sum += x;
            }
        }
    )*};
}

absorbing! {
    absorbing_with_derivatives: ;
    absorbing_without: derivatives = "never";
}

#[test]
fn uncalling_compares_with_and_without_derivatives() {
    macro_rules! back {
        ($program:ident, $x:expr) => {{
            let (mut y, mut z, mut record) = (1.0, 2.0, Record::new());
            $program::recorded(&mut y, &mut z, $x, 3, &mut record);
            let mut called = (1.0, 2.0);
            $program(&mut called.0, &mut called.1, $x, 3);
            assert_eq!(called, (y, z));
            attempt(|| $program::uncall(&mut y, &mut z, $x, 3, &mut record)).map(|()| y)
        }};
    }
    for x in [0.1, 10.0] {
        let come_back = [back!(absorbing_with_derivatives, x).unwrap(), back!(absorbing_without, x).unwrap()];
        assert!(come_back.iter().all(|y| (y - 1.0).abs() < 1e-9), "{come_back:?}");
    }
    assert_eq!(back!(absorbing_with_derivatives, 1e18).unwrap_err().kind, ErrorKind::Drift);
    assert_eq!(back!(absorbing_without, 1e18).unwrap_err().kind, ErrorKind::Drift);
}

/// Absorbs what it was between two assignments. At its `let` nothing is wrong, and the record gives back what was assigned before.
macro_rules! absorbing_on_the_way {
    ($($name:ident: $($option:meta)?;)*) => {$(
        #[reversible(record $(, $option)?)]
        fn $name<T: Real>(x: T, large: T, n: usize) -> T {
            let mut t = x;
            let mut s = 0.0;
            for _ in 0..n {
                t = 0.5 * t + x;
                s += t * t;
                t += large;
                t -= large;
            }
            s
        }
    )*};
}

absorbing_on_the_way! {
    between_assignments: checks = "always";
    between_assignments_unchecked: ;
}

/// The same in a callee, and behind an assignment that stands in no loop.
#[reversible(record, checks = "always")]
fn of_a_callee<T: Real>(x: T, large: T, n: usize) -> T {
    let mut y = x;
    if n > 1 {
        y = between_assignments(x, large, n) * x;
    }
    y * y
}

#[reversible(record, checks = "always")]
fn behind_one_assignment<T: Real>(x: T, large: T) -> T {
    let mut t = x;
    let mut s = t;
    t = s * x;
    s += t * t;
    t += large;
    s += t - large;
    s
}

#[test]
fn what_is_absorbed_between_assignments_is_seen() {
    let (_, slope): (f64, f64) = between_assignments::pushforward((0.4, 1.0), (0.7, 0.0), 20);
    let (value, by_x, _): (f64, f64, f64) = between_assignments::gradient(0.4, 0.7, 20);
    assert!((by_x - slope).abs() < 1e-9);
    assert_eq!((value, value), (between_assignments(0.4, 0.7, 20), between_assignments_unchecked(0.4, 0.7, 20)));
    let error = attempt(|| between_assignments::gradient(0.4, 1e20, 3)).unwrap_err();
    assert_eq!((error.kind, error.statement), (ErrorKind::Drift, "t = 0.5 * t + x;"), "{error}");
    let drifts = |run: &dyn Fn() -> f64| attempt(run).is_err_and(|error| error.kind == ErrorKind::Drift);
    assert_eq!(drifts(&|| between_assignments_unchecked::gradient(0.4, 1e20, 3).0), cfg!(debug_assertions));
    assert!(drifts(&|| of_a_callee::gradient(0.4, 1e20, 3).0) && !drifts(&|| of_a_callee::gradient(0.4, 10.0, 100).0));
    assert!(drifts(&|| behind_one_assignment::gradient(0.4, 1e20).0));
    assert!(!drifts(&|| behind_one_assignment::gradient(0.4, 1e3).0));
}

/// Goes towards a saddle, and back from it: errors grow on the way there and decay on the way back.
#[reversible(record, checks = "always")]
fn saddle<T: Real>(a: T, n: usize) -> T {
    let mut x = 1.0;
    let mut v = -1.4094810050208546;
    let mut s = 0.0;
    let mut i = 0;
    while i < 2 * n {
        if i < n {
            v += 0.7 * x;
            x += 0.7 * v;
        } else {
            x -= 0.7 * v;
            v -= 0.7 * x;
        }
        s += a * x;
        i += 1;
    }
    s
}

#[test]
fn an_error_that_decays_again_is_seen() {
    let slope = |n| {
        let mut slope = 0.0;
        saddle::pullback((1.0_f64, &mut slope), n, 1.0);
        slope
    };
    assert!((slope(4) - saddle(1.0, 4)).abs() < 1e-9);
    let error = attempt(|| slope(36)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Drift);
    assert!(error.actual.contains("in front of iteration 48"), "{error}");
}

/// What is pushed has no `let`.
#[reversible(record, checks = "always")]
fn pushed<T: Real>(x: &[T], large: T) -> T {
    let mut all = Vec::new();
    for i in 0..x.len() {
        all.push(x[i] * x[i]);
    }
    let mut s = 0.0;
    for i in 0..x.len() {
        s += all[i].sin();
        all[i] += large;
    }
    s
}

#[test]
fn what_is_pushed_and_absorbed_is_seen() {
    assert!(attempt(|| pushed::gradient(&[0.4, 0.7], 3.0)).is_ok());
    let error = attempt(|| pushed::gradient(&[0.4, 0.7], 1e20)).unwrap_err();
    assert_eq!((error.kind, &*error.variable), (ErrorKind::Drift, "all[0]"), "{error}");
}

/// In both ways back of a procedure.
#[reversible(record, checks = "always")]
fn settle<T: Real>(y: &mut T, x: T, large: T, n: usize) {
    let mut t = x;
    for _ in 0..n {
        t = 0.5 * t + x;
        *y += t * t;
        t += large;
        t -= large;
    }
}

#[test]
fn both_ways_back_of_a_procedure_compare_on_the_way() {
    let back = |large: f64, by_values: bool| {
        let (mut y, mut record) = (1.0, Record::new());
        settle::recorded(&mut y, 0.4, large, 12, &mut record);
        let undone = attempt(|| match by_values {
            true => settle::uncall(&mut y, 0.4, large, 12, &mut record),
            false => settle::pullback((&mut y, &mut 1.0), (0.4, &mut 0.0), (large, &mut 0.0), 12, &mut record),
        });
        undone.map(|()| y)
    };
    for by_values in [true, false] {
        assert!((back(10.0, by_values).unwrap() - 1.0).abs() < 1e-9);
        assert_eq!(back(1e20, by_values).unwrap_err().kind, ErrorKind::Drift);
    }
}

/// The same in no loop.
#[reversible(record, checks = "always")]
fn pushed_once<T: Real>(x: T, large: T) -> T {
    let mut all = vec![x];
    all.push(x * x);
    let mut s = all[1] * all[1];
    all[1] += large;
    s += all[1] - large;
    s
}

#[test]
fn what_is_pushed_once_is_compared() {
    assert!(attempt(|| pushed_once::gradient(0.4, 3.0)).is_ok());
    let error = attempt(|| pushed_once::gradient(0.4, 1e20)).unwrap_err();
    assert_eq!((error.kind, &*error.variable), (ErrorKind::Drift, "all[1]"), "{error}");
    assert!(error.statement.contains("push"), "{error}");
}

#[reversible(record, checks = "always")]
fn summed_from_the_end<T: Real>(x: &[T]) -> T {
    let mut s = T::zero();
    for (i, &a) in x.iter().enumerate().rev() {
        s += a * i as T;
    }
    for &a in x.iter().rev() {
        s += a;
    }
    s
}

#[reversible(record, checks = "always")]
fn absorbed_from_the_end<T: Real>(x: &[T], #[constant] large: f64) -> T {
    let (mut s, mut y) = (x[0], T::one());
    for (a, b) in x.iter().rev().zip(x.iter()) {
        s += *a * *b;
        y = y * s;
        s += T::lit(large);
        s -= T::lit(large);
    }
    y
}

#[test]
fn loops_from_the_end_compare_the_same_iterations() {
    assert_eq!(summed_from_the_end::gradient(&[0.25, 0.5, 0.75]), (3.5, vec![1.0, 2.0, 3.0]));
    agrees!(absorbed_from_the_end, [0.3, 0.7, 0.2], 2.0);
    let error = attempt(|| absorbed_from_the_end::gradient(&[0.3, 0.7, 0.2], 1e20)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Drift);
}
