//! Derivatives of programs whose locals change their shape.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::prelude::*;
use retrograd::{Slots, Stack};

#[reversible]
fn pushed_number(x: f64) -> f64 {
    let mut old = Stack::<f64>::new();
    let mut y = x;
    old.push(&mut y);
    y += x * x;
    y
}

#[reversible]
fn pushed_element(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let mut s = Stack::<f64>::new();
    s.push(&mut a[1]);
    a[1] += x[0] * x[0];
    a[0] * a[1] + s.len() as f64
}

#[reversible]
fn pushed_and_popped(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let mut s = Stack::new();
    for i in 0..x.len() {
        s.push(&mut a[i]);
        a[i] += x[i] * x[0];
    }
    let mut b = 0.0;
    s.pop(&mut b);
    b += x[0].sin();
    a[0] * a[1] * b
}

#[reversible]
fn pushed_in_branches(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let mut s = Stack::new();
        let mut t = x[i % 2];
        if i % 2 == 0 {
            t *= x[1];
            s.push(&mut t);
            t += x[0];
        } else {
            t += x[0] * x[1];
        }
        for _ in 0..s.len() {
            total += t * t;
        }
        total += t * x[i % 2];
    }
    total
}

#[reversible]
fn pushed_in_a_procedure(y: &mut [f64], x: &[f64]) {
    let mut s = Stack::new();
    let mut t = x.to_vec();
    for i in 0..t.len() {
        s.push(&mut t[i]);
        t[i] += x[i].cos() * 2.0;
    }
    for i in 0..t.len() {
        y[i] += t[i] * t[i];
    }
}

#[reversible]
fn allocated(x: &[f64]) -> f64 {
    let mut s = Slots::<u32, f64>::new();
    s.allocate(1);
    s[1] += x[0] * x[1];
    s.allocate(7);
    s[7] += s[1] * x[0];
    s[1] * x[0] + s[7] * s[7]
}

#[reversible]
fn swapped(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let mut b = vec![1.0; 1];
    swap(&mut a, &mut b);
    b[0] * b[1] * a[0]
}

#[reversible]
fn swapped_and_changed(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let mut b = vec![x[0]; 4];
    a[0] += x[1] * x[1];
    swap(&mut a, &mut b);
    b[1] *= a[3];
    a[2] += b[1];
    swap(&mut a, &mut b);
    a[0] * a[1] + b[2] * b[3]
}

#[test]
fn adjoints_follow_the_shapes_of_locals() {
    laws!(scalar pushed_number(x = 0.7));
    laws!(scalar pushed_element(&[x] = vec![3.0, 2.0]));
    laws!(scalar pushed_and_popped(&[x] = vec![0.3, 0.2, 0.7]));
    laws!(scalar pushed_in_branches(&[x] = vec![0.3, 0.2], #n = 3));
    laws!(pushed_in_a_procedure(&mut [y] = vec![0.1, 0.2], &[x] = vec![0.3, 0.7]));
    laws!(scalar allocated(&[x] = vec![3.0, 2.0]));
    laws!(scalar swapped(&[x] = vec![3.0, 2.0]));
    laws!(scalar swapped_and_changed(&[x] = vec![0.3, 0.2]));
}
