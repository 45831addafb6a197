//! What recorded programs keep, and what they do without.

#[macro_use]
mod against_dual;

use std::cell::Cell;

use retrograd::Direction;
use retrograd::prelude::*;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Counts how often it is computed.
#[primitive(d_x = 2.0 * x)]
fn counted(x: f64) -> f64 {
    CALLS.set(CALLS.get() + 1);
    x * x
}

/// Calls with the same arguments in every iteration: one by itself, others inside of expressions.
#[reversible(record)]
fn same_in_every_iteration(x: &[f64]) -> f64 {
    let mut y = 1.0;
    for i in 1..x.len() {
        let scale = counted(x[0]);
        y = 0.5 * y * y + scale * x[i] - counted(x[0]);
        y *= 0.25 * counted(counted(x[0])) + 0.125;
    }
    y
}

#[test]
fn calls_with_the_same_arguments_run_and_are_kept_once() {
    let cost = |len: usize| {
        let x: Vec<f64> = (0..len).map(|i| 0.3 + 0.1 * i as f64).collect();
        CALLS.set(0);
        let mut record = Record::new();
        let value = same_in_every_iteration::gradient_in(&mut record, &x).0;
        assert_eq!(value, same_in_every_iteration(&x));
        (CALLS.take(), record.peak_bytes())
    };
    let plain = |len: usize| 4 * (len - 1);
    let [few, many] = [4, 9].map(|len| (cost(len).0 - plain(len), cost(len).1));
    assert_eq!(few.0, many.0, "calls");
    // Of each iteration, y twice.
    assert_eq!(many.1 - few.1, 5 * 16, "bytes");
}

#[reversible(record)]
fn first<T: Real>(x: &[T]) -> T {
    let mut y = x[0];
    y = y * y;
    y
}

#[reversible(record)]
fn doubled<T: Real>(x: &[T]) -> Vec<T> {
    let mut y = x.to_vec();
    for i in 0..y.len() {
        y[i] = 2.0 * y[i] * x[0];
    }
    y
}

#[reversible(record)]
fn weighed<T: Real>(a: &[T], b: T) -> T {
    let mut y = b;
    for i in 0..a.len() {
        y = y * a[i] + b;
    }
    y
}

/// The same names in different blocks, calls of calls, and what only looks the same in every iteration.
#[reversible(record)]
fn look_the_same<T: Real>(x: &[T]) -> T {
    let mut y = x[0];
    let mut z = x.to_vec();
    for i in 0..x.len() {
        {
            let a = first(x);
            y = y * 0.5 + a;
        }
        {
            let a = doubled(&x[1..]);
            y = y * 0.5 + a[0] * x[i];
        }
        y = y + 0.1 * weighed(&doubled(x), first(&x[1..]));
        let changes = first(&z);
        z[0] = z[0] * 0.5 + changes;
        for k in 0..2 {
            let deep = first(x) * first(&x[k..]);
            y = 0.5 * y + 0.1 * deep;
        }
        for _ in i..2 {
            y = 0.9 * y + first(&x[i..]);
        }
    }
    y + z[0]
}

#[test]
fn names_of_calls_in_front_of_loops() {
    agrees!(look_the_same, [0.7, -0.4, 1.1, 0.3]);
    agrees!(look_the_same, [0.2, 0.9]);
}

/// A loop that may have no iterations: what it calls would panic then.
#[reversible(record)]
fn never_called<T: Real>(x: &[T], steps: usize) -> T {
    let mut y = T::one();
    for i in 0..x.len() {
        let scale = first(x);
        y = 0.5 * y * scale + x[i];
    }
    for v in x.iter().rev() {
        y = 0.5 * y * first(x) + *v;
    }
    for i in 1..=steps {
        let scale = first(&x[steps..]);
        y = y * scale + i as T;
    }
    y
}

#[test]
fn a_loop_without_iterations_calls_nothing() {
    assert_eq!(never_called::gradient(&[] as &[f64], 0), (1.0, vec![]));
    for steps in 0..3 {
        agrees!(never_called, [0.7, -0.4, 1.1], steps);
    }
}

/// The numbers beside one, on a ring.
fn beside(i: usize, n: usize) -> [usize; 2] {
    [(i + n - 1) % n, (i + 1) % n]
}

/// Indices that a function finds, and others that are counted, in loops and between them.
#[reversible(record)]
fn found_and_counted<T: Real>(x: &[T], steps: usize) -> T {
    let mut y = T::one();
    let n = x.len();
    for t in 0..steps {
        let mut at = t;
        at += 1;
        for i in 0..n {
            let [a, b] = beside(i, x.len());
            y = 0.5 * y * x[a] + x[b];
            for j in i + 1..n {
                y += x[at % n] * x[j];
                at += 2;
            }
        }
        at -= 1;
        y = y * x[at % n];
    }
    y
}

#[test]
fn indices_are_computed_again() {
    agrees!(found_and_counted, [0.7, -0.4, 1.1, 0.3], 3);
    agrees!(found_and_counted, [0.9, 0.6, -0.8], 1);
    let mut record = Record::new();
    found_and_counted::gradient_in(&mut record, &[0.5_f64; 4], 6);
    // What y was, at each of its assignments.
    assert_eq!(record.peak_bytes(), 6 * 5 * 8);
}

/// What is counted hangs on what changes, on a condition, or on numbers that are rounded.
#[reversible(record)]
fn counted_otherwise<T: Real>(x: &[T]) -> T {
    let mut y = T::one();
    let mut step = 1;
    for i in 0..x.len() {
        let mut at = 0;
        for _ in 0..i {
            at += step;
        }
        step = at + 1;
        let mut above = 0;
        for k in 0..x.len() {
            if x[k] > y {
                above += 1;
            }
        }
        let mut time = 0.0;
        for _ in 0..i {
            time += 0.1;
        }
        y = 0.5 * y * x[at % x.len()] + x[above % x.len()] * time;
    }
    y
}

#[test]
fn what_is_counted_otherwise_is_kept() {
    agrees!(counted_otherwise, [0.7, -0.4, 1.1, 0.3]);
    agrees!(counted_otherwise, [1.9, 2.6, 0.8, 1.4]);
}

/// Scratch that each iteration writes as a whole, and then adds to.
#[reversible(record)]
fn written_as_a_whole<T: Real>(x: &[T]) -> T {
    let mut y = T::one();
    let mut q = [T::zero(); 3];
    for i in 0..x.len() {
        for k in 0..3 {
            q[k] = y * x[i];
        }
        for k in 0..3 {
            q[k] += x[i] * x[k];
        }
        for k in 0..3 {
            y += q[k] * q[k];
        }
        y = y.sin();
    }
    y
}

#[test]
fn sums_that_are_written_over_are_not_undone() {
    agrees!(written_as_a_whole, [0.7, -0.4, 1.1, 0.3]);
    let text = written_as_a_whole::source(Direction::Pullback);
    assert!(text.contains("q[k] = restore()") && !text.contains("q[k] -="), "{text}");
}

/// Loops that write an array in part, in some iterations, in another order, or behind a use.
#[reversible(record)]
fn written_in_part<T: Real>(x: &[T]) -> T {
    let mut y = T::one();
    let mut q = [T::one(); 3];
    let mut r = [T::one(); 3];
    let mut s = [T::one(); 4];
    let mut v = vec![T::one(); 3];
    let mut a = [T::one(); 3];
    let mut b = [T::zero(); 3];
    for i in 0..x.len() {
        for k in 0..3 {
            a[k] = y * x[k];
            std::mem::swap(&mut a, &mut b);
        }
        y += a[0] * a[1] + b[1] * b[2];
        for k in 0..2 {
            q[k] = y * x[i];
        }
        for k in 0..3 {
            if x[k] > 0.5 {
                r[k] = y * x[k];
            }
        }
        for k in 0..3 {
            s[k] = s[k + 1] * x[k];
        }
        for k in 0..v.len() {
            y += v[0];
            v[k] = y * x[i];
        }
        for k in 0..3 {
            q[k] += 0.5 * x[i] * x[k];
            r[k] += 0.25 * x[i] * x[k];
            s[k + 1] += x[i] * x[k];
            a[k] += 0.5 * x[i] * x[k];
            v[k] += 0.125 * x[i] * x[k];
        }
        for k in 0..3 {
            y += q[k] * r[k] + s[k] * s[k + 1] + v[k] * v[k];
        }
        y = y.sin();
    }
    y
}

#[test]
fn sums_that_stay_in_part_are_undone() {
    agrees!(written_in_part, [0.7, -0.4, 1.1]);
    agrees!(written_in_part, [0.2, 0.8, 0.9, -1.3]);
}

/// Its value is an array, and so is the adjoint of that.
#[reversible(record)]
fn turned<T: Real>(x: &[T; 3], by: T) -> [T; 3] {
    let mut y = *x;
    for i in 0..3 {
        y[i] = y[i] * by + y[(i + 1) % 3];
    }
    y
}

#[reversible(record)]
fn of_turned<T: Real>(x: &[T]) -> T {
    let mut y = [x[0], x[1], x[2]];
    for _ in 0..3 {
        y = turned(&y, x[3]);
    }
    y[0] * y[1] + y[2]
}

#[test]
fn the_adjoint_of_an_array_begins_as_the_seed() {
    agrees!(of_turned, [0.7, -0.4, 1.1, 0.3]);
    let text = turned::source(Direction::Pullback);
    assert!(text.contains("let mut grad_y = seed;") && !text.contains("grad_y += seed"), "{text}");
}

/// What an exponential and a hyperbolic tangent are, and not what is made of them.
#[reversible(record)]
fn gated<T: Real>(x: &[T]) -> T {
    let logistic = |t: T| 1.0 / (1.0 + (-t).exp());
    let mut y = T::one();
    for i in 0..x.len() {
        let gate = logistic(x[i]);
        y = gate * y + (1.0 - gate) * x[i].tanh();
    }
    y
}

/// Such values beside themselves, inside of each other, in branches, blocks and sums, where they change, and where they are run again.
#[reversible(record)]
fn dear_everywhere<T: Real>(x: &[T]) -> T {
    let mut y = x[0];
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum += y.exp() * x[i] + 0.5 * y.exp();
        let nested = (0.1 * (x[i] + y.tanh()).exp()).tanh();
        let chosen = if x[i] > T::zero() { x[i].exp() } else { nested * (-x[i]).exp() };
        y = 0.2 * y * nested + chosen.tanh();
        #[recompute]
        let again = (y * x[i]).exp_m1();
        y = {
            let square = y * y;
            again * (1.0 + square).powf(x[i]) - square.tan() * 0.01
        };
        y = (0.1 * y).exp();
    }
    #[recompute]
    for i in 0..x.len() {
        y = (x[i] * y).tanh() + 0.1 * y.exp();
    }
    y * sum.tanh() + x.iter().map(|v| v.exp2()).sum::<T>() - x[0].exp()
}

#[test]
fn what_is_dear_is_kept_and_what_is_cheap_is_computed_again() {
    agrees!(gated, [0.7, -0.4, 1.1]);
    agrees!(dear_everywhere, [0.7, -0.4, 0.9]);
    agrees!(dear_everywhere, [-0.3, 0.2]);
    let mut record = Record::new();
    gated::gradient_in(&mut record, &[0.3; 10]);
    // Of each iteration the old `y`, the exponential and the hyperbolic tangent.
    assert_eq!(record.peak_bytes(), 10 * 3 * size_of::<f64>());
    let backwards = gated::source(Direction::Pullback);
    let (_, backwards) = backwards.split_once("rev()").expect("the loop goes back");
    assert!(!backwards.contains("exp()") && !backwards.contains("tanh()"), "{backwards}");
}
