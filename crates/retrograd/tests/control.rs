//! Control flow and its inverse.

use retrograd::check::check_inverse;
use retrograd::prelude::*;
use retrograd::{ErrorKind, attempt};

#[reversible]
fn branches(x: &mut i64, y: &mut i64, k: i64) {
    if k > 2 {
        *x += 1;
    } else if k == 2 {
        *x += 10;
    } else {
        *x += 100;
    }
    if (*x % 2 == 0, *x % 2 != 0) {
        *x += 1;
        *y += 1;
    } else {
        *x += 5;
    }
    if (*y < 0, *y < -10) {
        *y -= 10;
    } else if (*y == 0, *y == 0) {
        *x -= 1;
    } else {
        *y += 10;
    }
    match k {
        0 => *x += 7,
        1 | 2 => {
            *x -= 3;
            *y += *x;
        }
        n if n > 5 => *y += n,
        _ => {}
    }
}

#[test]
fn branches_find_their_way_back() {
    for k in -1..8 {
        for x in -3..4 {
            for y in [-5, -1, 0, 1, 7] {
                let start = (x, y);
                // The middle branch of the chain is the only one that leaves y at 0, the first below -10.
                let holds = attempt(|| branches(&mut { x }, &mut { y }, k));
                if holds.is_err() {
                    continue;
                }
                check_inverse(
                    &start,
                    |s: &mut (i64, i64)| branches(&mut s.0, &mut s.1, k),
                    |s: &mut (i64, i64)| branches::uncall(&mut s.0, &mut s.1, k),
                )
                .unwrap();
            }
        }
    }
}

#[reversible]
fn lazy(x: &mut i64, table: &[i64], i: usize) {
    if i >= table.len() {
        *x += 1;
    } else if table[i] > 0 {
        *x += 2;
    }
    if let Some(v) = table.first() {
        *x += *v;
    } else {
        *x += 1000;
    }
}

#[test]
fn conditions_are_evaluated_one_after_the_other() {
    for (i, result) in [(0, 5 + 2), (1, 5), (9, 5 + 1)] {
        let mut x = 0;
        lazy(&mut x, &[5, -5], i);
        assert_eq!(x, result);
        lazy::uncall(&mut x, &[5, -5], i);
        assert_eq!(x, 0);
    }
    let mut x = 0;
    lazy(&mut x, &[], 0);
    assert_eq!(x, 1001);
}

#[reversible]
fn collatz_like(n: &mut u64, steps: &mut u64) {
    while (n.is_multiple_of(3), *steps > 0) {
        *n /= 3;
        *steps += 1;
    }
}

#[test]
fn loops_with_postconditions_stop_where_they_began() {
    let (mut n, mut steps) = (486, 0);
    collatz_like(&mut n, &mut steps);
    assert_eq!((n, steps), (2, 5));
    collatz_like::uncall(&mut n, &mut steps);
    assert_eq!((n, steps), (486, 0));

    let error = attempt(|| collatz_like(&mut 9, &mut 1)).unwrap_err();
    assert_eq!((error.kind, &*error.variable), (ErrorKind::LoopEntry, "*steps > 0"));
    assert_eq!(error.statement, "while (n.is_multiple_of(3), *steps > 0)");
}

#[reversible]
fn steps(seen: &mut Stack<i64>, a: i64, b: i64, k: usize) {
    for i in (a..b).step_by(k) {
        let mut v = i;
        seen.push(&mut v);
        release!(v == 0);
    }
}

#[reversible]
fn steps_rev(seen: &mut Stack<i64>, a: i64, b: i64, k: usize) {
    for i in (a..=b).rev().step_by(k) {
        let mut v = i;
        seen.push(&mut v);
        release!(v == 0);
    }
}

#[reversible]
fn rev_steps(seen: &mut Stack<i64>, a: i64, b: i64, k: usize) {
    for i in (a..b).step_by(k).rev() {
        let mut v = i;
        seen.push(&mut v);
        release!(v == 0);
    }
}

#[reversible]
fn many_steps(seen: &mut Stack<i64>, a: i64, b: i64, k: usize) {
    for i in (a..=b).step_by(k).rev().step_by(2) {
        let mut v = i;
        seen.push(&mut v);
        release!(v == 0);
    }
}

type Steps = fn(&mut Stack<i64>, i64, i64, usize);

#[test]
fn stepped_loops_visit_the_same_elements_backwards() {
    let back = |v: Vec<i64>| v.into_iter().rev().collect::<Vec<_>>();
    for a in -7..8_i64 {
        for b in -7..8_i64 {
            for k in 1..=5_usize {
                let open: Vec<i64> = (a..b).step_by(k).collect();
                let closed: Vec<i64> = (a..=b).step_by(k).collect();
                let cases: [(Steps, Steps, Vec<i64>); 4] = [
                    (steps, steps::uncall, open.clone()),
                    (steps_rev, steps_rev::uncall, (a..=b).rev().step_by(k).collect()),
                    (rev_steps, rev_steps::uncall, back(open)),
                    (many_steps, many_steps::uncall, back(closed).into_iter().step_by(2).collect()),
                ];
                for (call, uncall, expected) in cases {
                    let mut seen = Stack::new();
                    call(&mut seen, a, b, k);
                    assert_eq!(seen.as_slice(), expected, "{a} {b} {k}");
                    // Backwards, each turn takes back just what it pushed: in checked builds anything else is an error.
                    uncall(&mut seen, a, b, k);
                    assert!(seen.is_empty(), "{a} {b} {k}");
                }
            }
        }
    }
}

#[reversible]
fn wide_ranges(sum: &mut u64, n: u64, small: u8) {
    for i in (0..n).rev() {
        *sum += i;
    }
    for i in (0..=n).step_by(3) {
        *sum ^= i;
    }
    for i in 0..=small {
        *sum += i as u64;
    }
    for i in (0..=small).rev().step_by(7).rev() {
        *sum ^= i as u64;
    }
}

#[test]
fn ranges_of_any_integer_type() {
    let mut sum = 5;
    wide_ranges(&mut sum, 10, u8::MAX);
    assert_ne!(sum, 5);
    wide_ranges::uncall(&mut sum, 10, u8::MAX);
    assert_eq!(sum, 5);
}

#[reversible]
fn iterators(x: &mut [f64], y: &[f64], z: &mut [f64], sum: &mut f64) {
    for v in x.iter_mut() {
        *v *= 2.0;
    }
    for (i, v) in x.iter_mut().enumerate().rev() {
        *v += i as f64;
    }
    for (a, b) in x.iter_mut().zip(y.iter()) {
        *a -= *b;
    }
    for ((a, b), c) in x.iter_mut().zip(y).zip(z.iter_mut()) {
        *c += *a * *b;
    }
    for pair in z.chunks_exact_mut(2) {
        pair[0] += pair[1];
        swap(&mut pair[0], &mut pair[1]);
    }
    for (k, pair) in y.chunks_exact(2).enumerate() {
        *sum += pair[0] * pair[1] + k as f64;
    }
    for v in y.iter().copied().step_by(2) {
        *sum -= v;
    }
    for v in &mut *z {
        *v = -*v;
    }
}

#[test]
fn slice_iterators_run_backwards() {
    for n in 0..6_usize {
        let y: Vec<f64> = (0..n).map(|i| 0.5 * i as f64).collect();
        let start = (vec![1.0; n], vec![2.0; n], 3.0);
        check_inverse(
            &start,
            |s: &mut (Vec<f64>, Vec<f64>, f64)| iterators(&mut s.0, &y, &mut s.1, &mut s.2),
            |s: &mut (Vec<f64>, Vec<f64>, f64)| iterators::uncall(&mut s.0, &y, &mut s.1, &mut s.2),
        )
        .unwrap();
    }
}

#[reversible]
fn nested(x: &mut [i64], n: usize, flag: bool) {
    for i in 0..n {
        if flag {
            let mut k = 0;
            while (k < i, k > 0) {
                x[k] += x[i] + 1;
                k += 1;
            }
            release!(k == i);
        } else {
            for j in (i + 1..n).rev() {
                match (i + j) % 3 {
                    0 => x[j] ^= x[i],
                    1 => x.swap(i, j),
                    _ => {
                        #[compute]
                        {
                            x[i] += 3;
                        }
                        x[j] -= x[i];
                    }
                }
            }
        }
    }
}

#[test]
fn control_flow_nests() {
    for n in 0..7 {
        for flag in [false, true] {
            let start: Vec<i64> = (0..n as i64).map(|i| i * i - 5).collect();
            check_inverse(&start, |x| nested(x, n, flag), |x| nested::uncall(x, n, flag)).unwrap();
            check_inverse(&start, |x| nested::uncall(x, n, flag), |x| nested(x, n, flag)).unwrap();
        }
    }
}
