//! Programs that lose information, as they were met: with a record their gradients are right.

use std::cell::Cell;

use retrograd::prelude::*;
use retrograd::{Dual, Stack};

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + b.abs())
}

/// A pendulum with friction that is driven: each step contracts.
#[reversible]
fn pendulum<T: Real>(friction: T, drive: T, steps: usize) -> T {
    let dt = 0.01;
    let mut x = T::zero();
    let mut v = T::zero();
    #[record]
    for i in 0..steps {
        v *= 1.0 - friction * dt;
        v += dt * (drive * (0.7 * dt * i as T).cos() - x.sin());
        x += dt * v;
    }
    x
}

#[test]
fn contracting_steps_are_recorded() {
    for steps in [10, 11_000, 100_000] {
        let (_, friction, drive) = pendulum::gradient(0.5, 1.2, steps);
        let both = [Dual::<f64, 2>::variable(0.5, 0), Dual::variable(1.2, 1)];
        let expected = pendulum(both[0], both[1], steps).eps;
        assert!(is_close(friction, expected[0]) && is_close(drive, expected[1]), "{friction} {drive} {expected:?}");
    }
}

/// Contracts so fast that nothing comes back.
#[reversible(record)]
fn average(x: &[f64]) -> f64 {
    let mut mean = 0.0;
    for v in x {
        mean *= 0.1;
        mean += 0.9 * *v;
    }
    mean
}

#[test]
fn averages_keep_nothing() {
    let (x, mut record) = (vec![1.0; 400], Record::new());
    let (_, gradient) = average::gradient_in(&mut record, &x);
    assert!(gradient.iter().rev().enumerate().all(|(k, g)| (g - 0.9 * 0.1_f64.powi(k as i32)).abs() < 1e-15));
    assert_eq!(record.peak_bytes(), 0);
}

#[reversible(record)]
fn product(x: &[f64]) -> f64 {
    let mut p = 1.0;
    for v in x {
        p *= *v;
    }
    p
}

#[test]
fn products_are_right_at_zero() {
    assert_eq!(product::gradient(&[2.0, 0.0, 3.0]), (0.0, vec![0.0, 6.0, 0.0]));
    assert_eq!(product::gradient(&[2.0, 0.0, 0.0]), (0.0, vec![0.0, 0.0, 0.0]));
}

#[reversible(record)]
fn stacked(x: f64) -> f64 {
    let mut old = Stack::<f64>::new();
    let mut y = x;
    old.push(&mut y);
    y += x * x;
    y
}

/// A name of a mutable reference is lent to `push`, as `&mut y` is, and not given away as to a plain `Vec`.
#[reversible(record)]
fn parked(y: &mut f64, x: f64) {
    let mut held = Stack::<f64>::new();
    held.push(y);
    *y += x * x;
    held.push(y);
    held.pop(y);
    *y *= 2.0;
}

#[test]
fn a_stack_may_be_left_full() {
    let mut gx = 0.0;
    assert_eq!((stacked::pullback((3.0, &mut gx), 1.0), gx), (9.0, 6.0));

    let (mut y, mut record) = (5.0, Record::new());
    parked::recorded(&mut y, 3.0, &mut record);
    assert_eq!(y, 18.0);
    let (mut gy, mut gx) = (1.0, 0.0);
    parked::pullback((&mut y, &mut gy), (3.0, &mut gx), &mut record);
    assert_eq!((y, gy, gx), (5.0, 0.0, 12.0));
}

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Counts how often it is computed.
#[primitive(d_x = { CALLS.set(CALLS.get() + 1); 2.0 * x })]
fn counted(x: f64) -> f64 {
    CALLS.set(CALLS.get() + 1);
    x * x
}

macro_rules! nest {
    ($($outer:ident = $inner:ident;)*) => {$(
        #[reversible(record)]
        fn $outer(x: f64) -> f64 {
            let mut y = $inner(x);
            y = 0.5 * y + 0.25 * y * y;
            y
        }
    )*};
}

nest! { one = counted; two = one; three = two; four = three; five = four; six = five; seven = six; eight = seven; }

/// However deep the nest, what is inside runs as often.
#[test]
fn functions_run_once_at_any_depth() {
    let calls = |pullback: &dyn Fn(f64, &mut f64) -> f64| {
        CALLS.set(0);
        let mut gx = 0.0;
        pullback(0.75, &mut gx);
        CALLS.take()
    };
    let shallow = calls(&|x, gx| one::pullback((x, gx), 1.0));
    assert_eq!(calls(&|x, gx| four::pullback((x, gx), 1.0)), shallow);
    assert_eq!(calls(&|x, gx| eight::pullback((x, gx), 1.0)), shallow);
    let mut gx = 0.0;
    eight::pullback((0.75, &mut gx), 1.0);
    let step = 1e-6;
    assert!((gx - (eight(0.75 + step) - eight(0.75 - step)) / (2.0 * step)).abs() < 1e-8);
}

/// The same by a record and without: a leapfrog needs none.
#[reversible]
fn leapfrog<T: Real>(x0: T, v0: T, steps: usize) -> T {
    let mut x = x0;
    let mut v = v0;
    for _ in 0..steps {
        v -= 0.05 * x.sin();
        x += 0.05 * v;
    }
    x * v
}

#[reversible(record)]
fn leapfrog_as_it_is_written<T: Real>(x0: T, v0: T, steps: usize) -> T {
    let (mut x, mut v) = (x0, v0);
    let mut i = 0;
    while i < steps {
        let force = -x.sin();
        v = v + 0.05 * force;
        x = x + 0.05 * v;
        i += 1;
    }
    x * v
}

#[test]
fn recorded_and_reversible_forms_agree() {
    let (value, x, v) = leapfrog::gradient(0.3, 0.4, 1000);
    let (same, gx, gv) = leapfrog_as_it_is_written::gradient(0.3, 0.4, 1000);
    assert_eq!(value, same);
    assert!(is_close(gx, x) && is_close(gv, v), "{gx} {gv} {x} {v}");
}

/// Conditions on floats that were restored could flip: the branch is kept.
#[reversible(record)]
fn branches<T: Real>(x: T, n: usize) -> T {
    let mut y = x;
    let mut s = T::zero();
    for _ in 0..n {
        let above = y > 0.5;
        if above {
            y -= 0.1;
        } else {
            y += 0.3;
        }
        s += if y > 0.5 { y * y } else { y };
    }
    s
}

#[test]
fn branches_are_kept() {
    for k in 0..50 {
        let x = 0.1 * f64::from(k) - 0.9;
        let mut gx = 0.0;
        branches::pullback((x, &mut gx), 40, 1.0);
        assert!(is_close(gx, branches(Dual::<f64, 1>::variable(x, 0), 40).eps[0]), "{x}");
    }
}
