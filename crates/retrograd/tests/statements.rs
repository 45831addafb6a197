//! Every atomic statement and its inverse.

use retrograd::check::check_inverse;
use retrograd::prelude::*;

#[reversible]
fn updates(x: &mut f64, k: &mut i64, b: &mut bool, u: &mut u8, y: f64) {
    *x += y * y.sin();
    *x -= y.exp();
    *x *= 2.0 + y.cos();
    *x /= 1.5;
    *k += 3;
    *k *= 7;
    *k -= 1;
    *k ^= 0b1010;
    *b ^= y > 0.0;
    *b = !*b;
    *u = !*u;
    *u ^= 15;
    *x = -*x;
    *k = -*k;
}

#[test]
fn updates_and_flips_are_undone() {
    let mut state = (1.5, 4, true, 200_u8);
    updates(&mut state.0, &mut state.1, &mut state.2, &mut state.3, 0.3);
    assert_eq!((state.1, state.2, state.3), (-(((4 + 3) * 7 - 1) ^ 0b1010), true, !200_u8 ^ 15));
    for y in [0.3, -0.7, 0.0] {
        check_inverse(
            &(1.5, 4, true, 200_u8),
            |s: &mut (f64, i64, bool, u8)| updates(&mut s.0, &mut s.1, &mut s.2, &mut s.3, y),
            |s: &mut (f64, i64, bool, u8)| updates::uncall(&mut s.0, &mut s.1, &mut s.2, &mut s.3, y),
        )
        .unwrap();
    }
}

#[bijection(inverse = unsquash, d = 1.0 / (1.0 + x.abs()).powi(2))]
fn squash(x: f64) -> f64 {
    x / (1.0 + x.abs())
}

fn unsquash(y: f64) -> f64 {
    y / (1.0 - y.abs())
}

#[bijection(inverse = (x - 1.0) / 2.0)]
fn stretch(x: f64) -> f64 {
    2.0 * x + 1.0
}

#[reversible]
fn bijections(x: &mut [f64]) {
    x[0] = x[0].exp();
    x[1] = x[1].ln();
    x[2] = x[2].exp_m1();
    x[3] = x[3].sinh();
    x[4] = x[4].tanh();
    x[5] = x[5].cbrt();
    x[6] = x[6].cube();
    x[7] = x[7].recip();
    x[8] = squash(x[8]);
    x[9] = stretch(x[9]);
    x[10] = squash::inverse(x[10]);
    x[11] = x[11].ln_1p();
    x[12] = x[12].atanh();
    x[13] = x[13].asinh();
}

#[test]
fn bijections_are_undone_by_their_inverses() {
    let start = vec![0.5; 14];
    let mut x = start.clone();
    bijections(&mut x);
    assert_eq!(x[0], 0.5_f64.exp());
    assert_eq!((x[8], x[9], x[10]), (1.0 / 3.0, 2.0, 1.0));
    check_inverse(&start, |x| bijections(x), |x| bijections::uncall(x)).unwrap();
    check_inverse(&start, |x| bijections::uncall(x), |x| bijections(x)).unwrap();
    assert_eq!(squash::derivative(1.0), 0.25);
}

#[reversible]
fn permutations(a: &mut [i32], v: &mut Vec<i32>, s: &mut i32, t: &mut i32, k: usize) {
    a.swap(0, k);
    a.rotate_left(k);
    v.rotate_right(2);
    v.reverse();
    swap(s, t);
    swap(&mut a[1], s);
    swap(&mut a[0], &mut a[k]);
    std::mem::swap(&mut v[0], &mut a[2]);
    v[1..3].reverse();
}

#[test]
fn permutations_are_undone() {
    for k in 1..5 {
        let start = (vec![1, 2, 3, 4, 5], vec![6, 7, 8, 9], 10, 11);
        let mut state = start.clone();
        permutations(&mut state.0, &mut state.1, &mut state.2, &mut state.3, k);
        assert_ne!(state, start);
        permutations::uncall(&mut state.0, &mut state.1, &mut state.2, &mut state.3, k);
        assert_eq!(state, start);
    }
}

#[reversible]
fn storage(x: &mut [f64], stack: &mut Stack<f64>, slots: &mut Slots<usize, f64>, y: &mut f64) {
    for i in 0..x.len() {
        stack.push(&mut x[i]);
        x[i] += 1.0;
    }
    stack.push(y);
    stack.pop(y);
    slots.allocate(3);
    slots.allocate(4);
    slots[3] += *y;
    slots[4] += slots[3] * 2.0;
    *y += slots[4];
    slots[4] -= slots[3] * 2.0;
    slots.free(4);
}

#[test]
fn storage_is_given_back() {
    let (mut x, mut stack, mut slots, mut y) = (vec![1.0, 2.0], Stack::new(), Slots::new(), 0.5);
    storage(&mut x, &mut stack, &mut slots, &mut y);
    assert_eq!((&*x, stack.as_slice(), slots.len(), y), (&[1.0, 1.0][..], &[1.0, 2.0][..], 1, 1.5));
    assert_eq!(slots[3], 0.5);
    storage::uncall(&mut x, &mut stack, &mut slots, &mut y);
    assert_eq!((&*x, stack.len(), slots.len(), y), (&[1.0, 2.0][..], 0, 0, 0.5));
    let text = storage::source(Direction::Inverse);
    assert!(text.contains("slots.allocate(4)") && text.contains("slots.free(3)"), "{text}");
    assert!(text.contains("stack.pop(&mut x[i])"), "{text}");
}

#[reversible]
fn axpy<T: Real>(y: &mut [T], x: &[T], a: T) {
    for i in 0..y.len() {
        y[i] += a * x[i];
    }
}

#[derive(Active)]
struct Body {
    x: f64,
    v: f64,
}

#[reversible]
fn attract(x: &mut f64, other: &f64, g: f64) {
    *x += g * *other;
}

#[reversible]
fn elements(x: &mut [f64], rows: &mut [Vec<f64>], m: &mut [[f64; 3]; 3], bodies: &mut [Body], i: usize, j: usize) {
    rotate(&mut x[i], &mut x[j], 0.3);
    attract(&mut x[i], &x[j], x[2]);
    axpy(&mut rows[i], &rows[j], 0.5);
    rotate(&mut m[i][j], &mut m[j][i], 0.1);
    attract(&mut bodies[i].x, &bodies[j].v, bodies[j].x);
    attract(&mut bodies[i].x, &bodies[i].v, 1.0);
    swap(&mut bodies[0].x, &mut bodies[1].v);
    axpy(&mut x[0..2], &x[3..5], 2.0);
    axpy::uncall(&mut x[0..2], &x[3..5], 3.0);
}

#[test]
fn several_elements_of_one_container_in_one_call() {
    let mut x = vec![1.0, 2.0, 3.0, 4.0, 5.0];
    let mut rows = vec![vec![1.0, 2.0], vec![3.0, 4.0]];
    let mut m = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    let mut bodies = vec![Body { x: 1.0, v: 2.0 }, Body { x: 3.0, v: 4.0 }];
    let (x0, rows0, m0) = (x.clone(), rows.clone(), m);
    elements(&mut x, &mut rows, &mut m, &mut bodies, 0, 1);
    assert_eq!(rows[0], [2.5, 4.0]);
    elements::uncall(&mut x, &mut rows, &mut m, &mut bodies, 0, 1);
    let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close(&x, &x0) && rows == rows0 && close(m.as_flattened(), m0.as_flattened()));
    assert_eq!((bodies[0].x, bodies[0].v, bodies[1].x, bodies[1].v), (1.0, 2.0, 3.0, 4.0));
}

#[reversible]
fn views(x: &mut [f64], k: usize) {
    let v = &mut x[1..k];
    for i in 0..v.len() {
        v[i] += 1.0;
    }
    let (left, right) = x.split_at_mut(k);
    left[0] += right[0];
    axpy(&mut right[0..1], left, 2.0);
    let w = &mut x[0..2];
    w[0] += w[1];
}

#[test]
fn changing_a_view_changes_what_it_is_a_view_of() {
    let start = vec![1.0, 2.0, 3.0, 4.0];
    let mut x = start.clone();
    views(&mut x, 3);
    assert_eq!(x, [8.0, 3.0, 4.0, 14.0]);
    views::uncall(&mut x, 3);
    assert_eq!(x, start);
}

#[reversible]
fn inverse_statements(x: &mut f64, y: &mut [f64]) {
    #[inverse]
    {
        *x += 1.0;
        *x *= 2.0;
    }
    #[inverse]
    for i in 0..y.len() {
        y[i] += 1.0;
    }
    #[inverse]
    axpy(y, &[1.0, 1.0], 3.0);
    #[unchecked]
    if (*x > 0.0, *x < 0.0) {
        *x = -*x;
    }
}

#[test]
fn inverse_runs_a_statement_backwards() {
    let (mut x, mut y) = (6.0, vec![1.0, 2.0]);
    inverse_statements(&mut x, &mut y);
    assert_eq!((x, &y[..]), (-2.0, &[-3.0, -2.0][..]));
    inverse_statements::uncall(&mut x, &mut y);
    assert_eq!((x, &y[..]), (6.0, &[1.0, 2.0][..]));
}

#[reversible]
fn hosts(x: &mut f64, #[host] count: &mut usize, #[host] log: &mut Vec<String>) {
    assert!(*x >= 0.0, "x is {x}");
    #[host]
    {
        *count += 1;
        log.push(format!("{x:.1}"));
    }
    *x += 1.0;
    let shadowed = *x;
    let shadowed = shadowed * 2.0;
    println!("{shadowed} {}", shadowed);
    #[compute]
    {
        *x *= 2.0;
        #[host]
        log.push("computing".to_string());
    }
    #[host]
    log.push(format!("{x:.1}"));
}

#[test]
fn host_statements_run_both_ways_but_not_while_undoing() {
    let (mut x, mut count, mut log) = (1.0, 0, Vec::new());
    hosts(&mut x, &mut count, &mut log);
    assert_eq!((x, count, log.join(" ")), (2.0, 1, "1.0 computing 4.0".to_string()));
    log.clear();
    hosts::uncall(&mut x, &mut count, &mut log);
    assert_eq!((x, count, log.join(" ")), (1.0, 2, "computing 4.0 1.0".to_string()));
    x = -0.5;
    assert!(std::panic::catch_unwind(move || hosts(&mut x, &mut 0, &mut Vec::new())).is_err());
    x = 0.5;
    hosts::uncall(&mut x, &mut count, &mut log);
    assert_eq!(x, -0.5);
}
