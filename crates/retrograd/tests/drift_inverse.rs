//! What `uncall` and the un-runs compare: locals of which they use a restored value.

use retrograd::check::{Tolerance, with_tolerance};
use retrograd::prelude::*;
use retrograd::{ErrorKind, Record, attempt};

#[track_caller]
fn drifts<R>(run: impl FnOnce() -> R, variable: &str) {
    match attempt(run) {
        Ok(_) => panic!("nothing was said about {variable}"),
        Err(error) => {
            assert_eq!(error.kind, ErrorKind::Drift, "{error}");
            assert_eq!(error.variable.split('[').next(), Some(variable), "{error}");
        }
    }
}

#[track_caller]
fn returns<R>(run: impl FnOnce() -> R) {
    if let Err(error) = attempt(run) {
        panic!("{error}");
    }
}

/// Each step of `t` forgets something, and is used: the inverse computes `t` to its end, and then restores it step by step.
#[reversible]
fn mixed<T: Real>(y: &mut [T], rate: T) {
    let mut t = 1.0;
    for i in 0..y.len() {
        t *= rate;
        t += 0.3;
        y[i] += t;
    }
}

#[test]
fn what_is_restored_beside_something_older_is_compared() {
    returns(|| mixed::uncall(&mut [0.0; 5], 0.5));
    drifts(|| mixed::uncall(&mut [0.0; 200], 0.5), "t");
    returns(|| mixed::unpushforward((&mut [0.0; 5], &mut [1.0; 5]), (0.5, 1.0)));
    drifts(|| mixed::unpushforward((&mut [0.0; 200], &mut [1.0; 200]), (0.5, 1.0)), "t");
    returns(|| mixed::pullback((&mut [0.0; 5], &mut [1.0; 5]), (0.5, &mut 0.0)));
    drifts(|| mixed::pullback((&mut [0.0; 200], &mut [1.0; 200]), (0.5, &mut 0.0)), "t");
    returns(|| mixed::unpullback((&mut [0.0; 5], &mut [1.0; 5]), (0.5, &mut 0.0)));
    drifts(|| mixed::unpullback((&mut [0.0; 200], &mut [1.0; 200]), (0.5, &mut 0.0)), "t");
}

/// Both uses of `t` are undone: between them the inverse goes back to what it was at the first. Its initialiser is not at hand.
#[reversible]
fn between_uses<T: Real>(y: &mut T, rate: T, steps: usize) {
    let mut t = rate * rate;
    t += 1.0;
    *y += t;
    for _ in 0..steps {
        t *= rate;
        t += 0.3;
    }
    *y += t * t;
}

#[test]
fn what_is_restored_between_two_uses_is_compared() {
    for (steps, lost) in [(5, false), (200, true)] {
        let runs: [&dyn Fn(); 3] = [
            &|| between_uses::uncall(&mut 2.0, 0.5, steps),
            &|| between_uses::unpushforward((&mut 2.0, &mut 1.0), (0.5, 1.0), steps),
            &|| between_uses::unpullback((&mut 2.0, &mut 1.0), (0.5, &mut 0.0), steps),
        ];
        for run in runs {
            if lost { drifts(run, "t") } else { returns(run) }
        }
    }
}

/// What `t` was before the loop nobody uses: it is not restored, so that there is nothing to compare.
#[reversible]
fn used_once<T: Real>(y: &mut T, rate: T, steps: usize) {
    let mut t = 1.0;
    for _ in 0..steps {
        t *= rate;
        t += 0.3;
    }
    *y += t;
}

/// The branch is undone after its use: nobody reads what is left of `t`.
#[reversible]
fn in_a_branch(y: &mut f64, x: f64) {
    let mut t = 1.0;
    if x > 0.0 {
        t += 1e20;
        *y += t;
        t *= 1e-300;
    }
}

#[test]
fn what_nobody_uses_is_not_compared() {
    returns(|| used_once::uncall(&mut 1.0, 0.5, 200));
    returns(|| used_once::unpushforward((&mut 1.0, &mut 1.0), (0.5, 1.0), 200));
    returns(|| in_a_branch::uncall(&mut 1.0, 1.0));
}

/// The ancilla is changed together with `y`, so that it has to be given back by hand. By a small rate it forgets what it held.
#[reversible]
fn by_hand<T: Real>(y: &mut T, rate: T) {
    let mut held = 1.5;
    rotate(&mut held, y, 0.25);
    held *= rate;
    held += 1.0;
    held -= 1.0;
    held /= rate;
    rotate(&mut held, y, -0.25);
    release!(held == 1.5);
}

#[test]
fn what_is_given_back_by_hand_is_compared() {
    for (rate, lost) in [(0.5, false), (1e-12, true)] {
        let runs: [&dyn Fn(); 3] = [
            &|| by_hand::uncall(&mut 2.0, rate),
            &|| by_hand::unpushforward((&mut 2.0, &mut 1.0), (rate, 1.0)),
            &|| by_hand::pullback((&mut 2.0, &mut 1.0), (rate, &mut 0.0)),
        ];
        for run in runs {
            // Checked builds compare it with the initialiser too, and more strictly.
            let run = || with_tolerance(Tolerance { relative: 1.0, absolute: 10.0 }, run);
            if lost { drifts(run, "held") } else { returns(run) }
        }
    }
}

/// In a recorded procedure sums are undone by subtracting.
#[reversible(record)]
fn recorded<T: Real>(y: &mut [T], large: T) {
    let mut sum = 0.3;
    for i in 0..y.len() {
        y[i] += sum.cos();
        if i == 0 {
            sum += large;
        }
    }
    sum -= large;
    y[0] = 0.5 * y[0] + sum;
}

#[test]
fn recorded_procedures_compare_their_sums() {
    for (large, lost) in [(0.7, false), (1e18, true)] {
        let mut record = Record::new();
        let mut y = [1.0, 2.0, 3.0];
        recorded::recorded(&mut y, large, &mut record);
        let back = || recorded::uncall(&mut y, large, &mut record);
        if lost { drifts(back, "sum") } else { returns(back) }
    }
}

/// Integers and other exact types are compared bit by bit, and come back.
#[reversible]
fn counted(y: &mut [u64], n: u64) {
    let mut k = 0;
    let mut names = vec![String::new(), "b".to_string()];
    for i in 0..y.len() {
        k += n;
        names.swap(0, 1);
        y[i] += k + names[0].len() as u64;
    }
}

#[test]
fn exact_types_come_back() {
    let mut y = [1, 2, 3];
    counted(&mut y, 7);
    returns(|| counted::uncall(&mut y, 7));
    assert_eq!(y, [1, 2, 3]);
}

#[reversible(checks = "never")]
fn unguarded<T: Real>(y: &mut [T], rate: T) {
    let mut t = 1.0;
    for i in 0..y.len() {
        t *= rate;
        t += 0.3;
        y[i] += t;
    }
}

#[reversible]
fn unguarded_local<T: Real>(y: &mut [T], rate: T) {
    #[unchecked]
    {
        let mut t = 1.0;
        for i in 0..y.len() {
            t *= rate;
            t += 0.3;
            y[i] += t;
        }
    }
}

#[test]
fn comparing_can_be_switched_off() {
    returns(|| unguarded::uncall(&mut [0.0; 200], 0.5));
    returns(|| unguarded_local::uncall(&mut [0.0; 200], 0.5));
    returns(|| unguarded_local::unpushforward((&mut [0.0; 200], &mut [0.0; 200]), (0.5, 1.0)));
}
