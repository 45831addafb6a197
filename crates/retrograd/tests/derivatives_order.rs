//! Loops whose iterations run in another order in derivative runs, or add to their neighbours later; and loops that only look so.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::prelude::*;

/// Elements on both sides, at once and in two statements.
#[reversible]
fn stencil(v: &mut [f64], u: &[f64], c: &[f64]) {
    for i in 1..u.len() - 1 {
        v[i] += c[i] * (u[i - 1] - 2.0 * u[i] * u[i + 1]);
        v[i] -= (u[i + 1] * c[i - 1]).sin();
    }
}

/// In both directions, and with both ends of a range.
#[reversible]
fn directions(v: &mut [f64], u: &[f64], n: usize) {
    for i in (2..n).rev() {
        v[i] += u[i] * u[i - 2];
    }
    for i in 0..=n - 2 {
        v[i + 1] *= u[i] + u[i + 1] + 3.0;
    }
    for i in (1..=n - 1).rev() {
        v[i - 1] += u[n - i] * u[n - i - 1];
    }
    for i in (0..n - 2).step_by(2) {
        v[i] += u[i] * u[i + 1] * u[i + 2];
    }
}

/// An index that grows by more than one from iteration to iteration.
#[reversible]
fn strides(v: &mut [f64], u: &[f64]) {
    for i in 0..v.len() {
        v[i] += u[2 * i] * u[2 * i + 1] * u[2 * i + 2];
    }
}

/// Rows in one slice: neighbours in a row, and those in rows whose distance is not known.
#[reversible]
fn plane(v: &mut [f64], u: &[f64], n: usize) {
    for i in 1..n - 1 {
        for p in i * n + 1..i * n + n - 1 {
            v[p] += u[p] * (u[p - 1] + u[p + 1] + u[p - n] + u[p + n]);
        }
    }
}

/// Rows of their own, both shadows of locals.
#[reversible]
fn rows(x: &[f64], a: f64) -> f64 {
    let mut u = vec![[0.0; 4]; x.len()];
    let mut v = vec![vec![0.0; 4]; x.len()];
    let mut s = 0.0;
    for i in 0..x.len() {
        for k in 0..4 {
            u[i][k] += x[i] * a;
        }
    }
    for i in 1..x.len() {
        for k in 1..4 {
            v[i][k] += u[i - 1][k] * u[i][k - 1] + (u[i][k] * a).sin();
        }
    }
    for i in 0..x.len() {
        for k in 0..3 {
            s += v[i][k] * v[i][k + 1] + v[i][k] * a;
        }
    }
    s
}

/// The same element twice, and the same statement twice.
#[reversible]
fn twice(v: &mut [f64], u: &[f64]) {
    for i in 0..u.len() - 1 {
        v[i] += u[i] + u[i + 1];
        v[i] += u[i] + u[i + 1];
        v[i] -= u[i] * u[i];
    }
}

/// A branch adds too, and a loop inside.
#[reversible]
fn branches(v: &mut [f64], u: &[f64], a: f64) {
    for i in 0..u.len() - 1 {
        v[i] += u[i] * u[i + 1];
        if i % 2 == 0 {
            v[i] += u[i + 1] * a;
        }
        for k in 0..i {
            v[i] += u[k] * a;
        }
    }
}

/// Each iteration reads what the one before it has changed.
#[reversible]
fn chains(x: &mut [f64], a: f64) {
    for i in 1..x.len() {
        x[i] += a * x[i - 1] * x[i - 1];
    }
    for i in 0..x.len() - 1 {
        x[i] += a * x[i + 1];
    }
    for i in 1..x.len() - 1 {
        x[i] *= x[i - 1] + x[i + 1] + 4.0;
    }
}

/// Elements that an index finds, some of them the same.
#[reversible]
fn found(v: &mut [f64], u: &[f64], k: &[usize]) {
    for i in 0..k.len() {
        let j = k[i];
        v[j] += u[j] * u[j + 1];
        v[j] *= u[i] + 2.0;
    }
}

/// Views of a shadow, beside the shadow itself.
#[reversible]
fn views(v: &mut [f64], u: &mut [f64]) {
    for i in 1..v.len() {
        let near = &mut u[i - 1..];
        near[0] += v[i] * v[i - 1];
        near[1] += v[i].sin();
        u[i] *= v[i - 1] + 3.0;
    }
    let (left, right) = v.split_at_mut(2);
    for i in 0..2 {
        left[i] += right[0] * u[i] * u[i + 1];
    }
}

/// Through time, with everything.
#[reversible]
fn string(c: &[f64], start: &[f64], steps: usize) -> f64 {
    let n = c.len();
    let (mut u, mut v) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        u[i] += start[i];
    }
    for _ in 0..steps {
        for i in 1..n - 1 {
            v[i] += c[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        }
        for i in 1..n - 1 {
            u[i] += v[i];
        }
    }
    let mut energy = 0.0;
    for i in 0..n {
        energy += u[i] * u[i];
    }
    energy
}

/// Numbers of a type that the program does not know.
#[reversible]
fn generic<T: Real>(v: &mut [T], u: &[T]) {
    for i in 1..u.len() - 1 {
        v[i] += u[i - 1] * u[i] - u[i + 1];
    }
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.3 + 0.1 * (i as f64 * 1.7).sin()).collect()
}

#[test]
fn neighbours_of_every_distance() {
    for n in 2..8 {
        let (v, u, c) = (numbers(n), numbers(n), numbers(n));
        laws!(stencil(&mut [v] = v.clone(), &[u] = u.clone(), &[c] = c.clone()));
        laws!(directions(&mut [v] = v.clone(), &[u] = u.clone(), #n = n));
        laws!(twice(&mut [v] = v.clone(), &[u] = u.clone()));
        laws!(branches(&mut [v] = v.clone(), &[u] = u.clone(), a = 0.7));
        laws!(generic(&mut [v] = v.clone(), &[u] = u.clone()));
        laws!(scalar string(&[c] = c.clone(), &[start] = u.clone(), #steps = 3));
    }
    for n in 0..4 {
        laws!(strides(&mut [v] = numbers(n), &[u] = numbers(2 * n + 1)));
        laws!(scalar rows(&[x] = numbers(n), a = 0.4));
    }
    for n in 2..5 {
        laws!(plane(&mut [v] = numbers(n * n), &[u] = numbers(n * n), #n = n));
    }
}

#[test]
fn loops_that_only_look_so() {
    for n in 2..7 {
        laws!(chains(&mut [x] = numbers(n), a = 0.2));
    }
    laws!(found(&mut [v] = numbers(4), &[u] = numbers(6), #k = &[0, 2, 2, 1, 0, 3][..]));
    laws!(views(&mut [v] = numbers(4), &mut [u] = numbers(5)));
}
