//! Kernels on the CPU: the runs for all indices keep the laws of derivative runs, and are those of a loop.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::numbers::Fixed;
use retrograd::prelude::*;

/// A particle in a potential: each run has an element of each slice to itself.
#[reversible(kernel)]
fn leapfrog<T: Real>(#[index] i: usize, x: &mut [T], v: &mut [T], stiffness: &[T], dt: T, steps: usize) {
    for _ in 0..steps {
        x[i] += dt * v[i];
        v[i] -= dt * stiffness[i] * x[i].sin();
    }
}

/// The same for all particles as one reversible loop.
#[reversible]
fn leapfrogs<T: Real>(n: usize, x: &mut [T], v: &mut [T], stiffness: &[T], dt: T, steps: usize) {
    for i in 0..n {
        leapfrog(i, x, v, stiffness, dt, steps);
    }
}

/// A stencil: neighbours are read from a slice that is not changed.
#[reversible(kernel)]
fn wave(#[index] i: usize, next: &mut [f64], u: &[f64], speed: &[f64], width: usize) {
    if i >= width && i + width < u.len() {
        let around = u[i - width] + u[i - 1] + u[i + 1] + u[i + width];
        next[i] = -next[i];
        next[i] += 2.0 * u[i] + speed[i] * (around - 4.0 * u[i]);
    }
}

/// Rows, parameters that all runs share, and a scalar that they share.
#[reversible(kernel)]
fn layer<T: Real>(#[index] i: usize, y: &mut [T], x: &[T], weights: &[T], bias: T, d: usize, m: usize) {
    for k in 0..m {
        let mut sum = bias;
        for j in 0..d {
            sum += weights[k * d + j] * x[i * d + j];
        }
        y[i * m + k] += sum.tanh();
    }
}

/// Which elements are read depends on data.
#[reversible(kernel)]
fn sparse_product(
    #[index] i: usize,
    y: &mut [f64],
    #[scatter] x: &[f64],
    starts: &[usize],
    columns: &[usize],
    a: &[f64],
) {
    for k in 0..starts.len() {
        if k >= starts[i] && k < starts[i + 1] {
            y[i] += a[k] * x[columns[k]];
        }
    }
}

/// A function and a procedure that a kernel calls, elements that are arrays, rows as views, and scratch memory.
#[reversible]
fn energy(q: [f64; 2]) -> f64 {
    q[0] * q[0] + q[0] * q[1].exp()
}

#[reversible]
fn turn(q: &mut [f64; 2], angle: f64) {
    rotate(&mut q[0], &mut q[1], angle);
}

#[reversible(kernel)]
fn turned(#[index] i: usize, q: &mut [[f64; 2]], rows: &mut [f64], angles: &[f64]) {
    turn(&mut q[i], angles[i]);
    let mut scratch = [0.0; 3];
    for k in 0..3 {
        scratch[k] += energy(q[i]) * angles[i];
    }
    let row = &mut rows[i * 3..(i + 1) * 3];
    for k in 0..3 {
        row[k] += scratch[k] * scratch[2 - k];
    }
    row.rotate_left(1);
}

#[reversible(kernel)]
fn counted(#[index] i: usize, counts: &mut [u64], keys: &[u64]) {
    counts[i] ^= keys[i % keys.len()];
    counts[i] += i as u64;
}

/// Called like one of its parameters.
#[reversible(kernel)]
fn shift(#[index] i: usize, x: &mut [f64], shift: f64) {
    x[i] += shift * shift;
}

#[test]
fn runs_for_all_indices_keep_the_laws() {
    let x = vec![0.3, -0.5, 0.8];
    laws!(kernel leapfrog(#n = 3, &mut [x] = x.clone(), &mut [v] = vec![0.2, 0.1, -0.4], &[k] = vec![1.0, 0.7, 1.3], dt = 0.1, #steps = 4));
    laws!(kernel leapfrog(#n = 0, &mut [x] = x.clone(), &mut [v] = vec![0.2, 0.1, -0.4], &[k] = vec![1.0, 0.7, 1.3], dt = 0.1, #steps = 4));
    let u: Vec<f64> = (0..12).map(|k| (0.7 * f64::from(k)).sin()).collect();
    let speed: Vec<f64> = (0..12).map(|k| 0.1 + 0.03 * f64::from(k)).collect();
    laws!(kernel wave(#n = 12, &mut [next] = vec![0.1; 12], &[u] = u.clone(), &[speed] = speed.clone(), #width = 3));
    laws!(kernel layer(#n = 2, &mut [y] = vec![0.5; 6], &[x] = vec![0.3, -0.2, 0.9, 0.4], &[w] = vec![0.2, 0.5, -0.3, 0.7, 0.1, 0.6],
        bias = 0.3, #d = 2, #m = 3));
    laws!(kernel sparse_product(#n = 3, &mut [y] = vec![0.1, 0.2, 0.3], &[x] = vec![0.4, -0.6], #&[starts] = vec![0, 2, 2, 4],
        #&[columns] = vec![0, 1, 1, 1], &[a] = vec![0.5, 0.6, -0.7, 0.8]));
    laws!(kernel turned(#n = 2, &mut [q] = vec![[0.3, 0.4], [-0.5, 0.2]], &mut [rows] = vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        &[angles] = vec![0.3, 0.9]));
    laws!(kernel shift(#n = 2, &mut [x] = vec![0.1, 0.2, 0.3], shift = 0.4));
}

#[test]
fn the_runs_of_a_kernel_are_those_of_a_loop() {
    let (x, v) = (vec![0.3, -0.5, 0.8, 0.1], vec![0.2, 0.1, -0.4, 0.7]);
    let stiffness = vec![1.0, 0.7, 1.3, 0.4];
    let (mut x1, mut v1, mut x2, mut v2) = (x.clone(), v.clone(), x.clone(), v.clone());
    leapfrog::over(4, &mut x1, &mut v1, &stiffness, 0.1, 9);
    leapfrogs(4, &mut x2, &mut v2, &stiffness, 0.1, 9);
    assert_eq!((&x1, &v1), (&x2, &v2));

    let (mut gx1, mut gv1, mut gs1, mut gd1) = (vec![1.0; 4], vec![0.5; 4], vec![0.0; 4], 0.0);
    let (mut gx2, mut gv2, mut gs2, mut gd2) = (vec![1.0; 4], vec![0.5; 4], vec![0.0; 4], 0.0);
    leapfrog::pullback_over(4, (&mut x1, &mut gx1), (&mut v1, &mut gv1), (&stiffness, &mut gs1), (0.1, &mut gd1), 9);
    leapfrogs::pullback(4, (&mut x2, &mut gx2), (&mut v2, &mut gv2), (&stiffness, &mut gs2), (0.1, &mut gd2), 9);
    assert_eq!((x1, v1, gx1, gv1, gs1), (x2, v2, gx2, gv2, gs2));
    // What runs share is added up in another order.
    assert!((gd1 - gd2).abs() < 1e-14 * gd2.abs(), "{gd1} {gd2}");
}

#[test]
fn exact_kernels_come_back() {
    let start: Vec<u64> = (0..10).map(|k| k * k).collect();
    let mut counts = start.clone();
    counted::over(10, &mut counts, &[7, 11, 13]);
    assert_ne!(counts, start);
    counted::uncall_over(10, &mut counts, &[7, 11, 13]);
    assert_eq!(counts, start);

    let fixed = |x: f64| Fixed::<40>::lit(x);
    let (x0, v0) = (vec![fixed(0.3); 5], vec![fixed(-0.2); 5]);
    let (mut x, mut v) = (x0.clone(), v0.clone());
    let stiffness: Vec<_> = (0..5).map(|k| fixed(0.1 * f64::from(k))).collect();
    leapfrog::over(5, &mut x, &mut v, &stiffness, fixed(0.05), 1000);
    leapfrog::uncall_over(5, &mut x, &mut v, &stiffness, fixed(0.05), 1000);
    assert_eq!((x, v), (x0, v0));
}

/// A shadow that does not fit is refused before any run.
#[test]
#[should_panic(expected = "`x`")]
fn shadows_are_looked_at_before_the_first_run() {
    let (mut x, mut gx) = ([1.0, 2.0], [0.0; 3]);
    let mut g = 0.0;
    shift::pullback_over(2, (&mut x, &mut gx), (0.1, &mut g));
}
