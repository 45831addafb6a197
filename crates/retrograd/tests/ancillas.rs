//! Locals: they live as long as they are needed, and forward runs undo nothing that is dropped.

use std::cell::Cell;

use retrograd::check::check_inverse;
use retrograd::prelude::*;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// A function that counts how often it is evaluated.
#[primitive(d_x = 1.0)]
fn counted(x: f64) -> f64 {
    CALLS.set(CALLS.get() + 1);
    x
}

fn calls(run: impl FnOnce()) -> usize {
    CALLS.set(0);
    run();
    CALLS.get()
}

#[reversible]
fn computed(y: &mut f64, x: &[f64]) {
    let mut t = 0.0;
    for i in 0..x.len() {
        t += counted(x[i]);
    }
    let k = t * 2.0;
    *y += k;
}

#[reversible]
fn written_out(y: &mut [f64], x: &[f64]) {
    let mut t = 0.0;
    for i in 0..x.len() {
        let c = counted(x[i]);
        t += c;
        y[i] += t;
    }
}

#[test]
fn nothing_that_is_dropped_is_undone() {
    let x = [1.0, 2.0, 3.0];
    let mut y = 0.5;
    assert_eq!(calls(|| computed(&mut y, &x)), 3);
    assert_eq!(y, 12.5);
    assert_eq!(calls(|| computed::uncall(&mut y, &x)), 3);
    assert_eq!(y, 0.5);

    let mut y = vec![0.0; 3];
    assert_eq!(calls(|| written_out(&mut y, &x)), 3);
    assert_eq!(y, [1.0, 3.0, 6.0]);
    // Backwards the sum is computed first and then taken back turn by turn.
    assert_eq!(calls(|| written_out::uncall(&mut y, &x)), 6);
    assert_eq!(y, [0.0; 3]);
}

#[reversible]
fn used_in_between(y: &mut i64, w: &mut i64, x: i64) {
    let mut t = 0;
    t += x;
    *y += t;
    t += *y;
    *w += t;
}

#[reversible]
fn computed_in_between(y: &mut i64, w: &mut i64, x: i64) {
    let mut t = 0;
    t += x;
    *y += t;
    #[compute]
    {
        t += *y;
    }
    *w += t;
}

#[test]
fn an_ancilla_is_what_it_was_at_each_use() {
    type Run = fn(&mut i64, &mut i64, i64);
    let pairs: [(Run, Run); 2] =
        [(used_in_between, used_in_between::uncall), (computed_in_between, computed_in_between::uncall)];
    for (call, uncall) in pairs {
        let (mut y, mut w) = (3, 4);
        call(&mut y, &mut w, 5);
        assert_eq!((y, w), (8, 17));
        uncall(&mut y, &mut w, 5);
        assert_eq!((y, w), (3, 4));
    }
}

#[reversible]
fn chained(y: &mut i64, z: &mut i64, x: i64) {
    let mut a = x;
    a *= 3;
    let mut b = a + 1;
    b -= x;
    let c = a + b;
    *y += c;
    a += 1;
    let mut d = vec![0; 3];
    for i in 0..d.len() {
        d[i] += a * i as i64;
    }
    *z += d[2] + b;
    a = a * a;
    *z ^= a;
}

#[reversible]
fn shadowed(y: &mut i64, x: i64) {
    let t = x + 1;
    let t = t * t;
    *y += t;
    let mut t = t - 1;
    t ^= x;
    *y ^= t;
    {
        let t = *y;
        let mut s = 0;
        s += t - *y;
        release!(s == 0);
    }
}

#[reversible]
fn tuples(y: &mut f64, x: &[f64]) {
    let (a, b) = (x[0], x[1]);
    let (s, c) = a.sin_cos();
    let (mut p, mut q) = (0.0, 1.0);
    p += s * b;
    q += c;
    *y += p * q;
}

#[reversible]
fn copies(y: &mut [f64], x: &[f64]) {
    let mut v = x.to_vec();
    for i in 1..v.len() {
        v[i] += v[i - 1];
    }
    let mut w = [0.0; 2];
    w[0] += v[0];
    w[1] -= v[v.len() - 1];
    let m = v.clone();
    for i in 0..y.len() {
        y[i] += m[i] * w[0] + w[1];
    }
}

#[reversible]
fn unused_view(y: &mut i64, x: i64) {
    let mut t = [0; 4];
    let _v = &mut t[..2];
    *y += x;
}

#[reversible]
fn by_hand(total: &mut i64, a: &mut [i64]) {
    let mut t = 0;
    for i in 0..a.len() {
        t += a[i];
        a[i] += t;
    }
    *total += t;
    for i in (0..a.len()).rev() {
        a[i] -= t;
        t -= a[i];
    }
    release!(t == 0);
}

#[reversible]
fn conditional_slices(y: &mut [i64], x: &[i64], flag: bool) {
    let mut count = 0;
    let mut last = 0;
    for i in 0..x.len() {
        if x[i] > 0 {
            count += 1;
            y[i] += count;
            let mut double = 0;
            double += 2 * x[i];
            last ^= double;
        } else if flag {
            y[i] -= 1;
        }
    }
    y[0] += count + last;
}

#[test]
fn locals_of_every_kind_end_their_lives() {
    for x in [-4, 0, 3, 11] {
        check_inverse(
            &(1, 2),
            |s: &mut (i64, i64)| chained(&mut s.0, &mut s.1, x),
            |s: &mut (i64, i64)| chained::uncall(&mut s.0, &mut s.1, x),
        )
        .unwrap();
        check_inverse(&7, |y: &mut i64| shadowed(y, x), |y: &mut i64| shadowed::uncall(y, x)).unwrap();
        check_inverse(&7, |y: &mut i64| unused_view(y, x), |y: &mut i64| unused_view::uncall(y, x)).unwrap();
    }
    let x = [0.5, -1.5, 2.0];
    check_inverse(&0.25, |y: &mut f64| tuples(y, &x), |y: &mut f64| tuples::uncall(y, &x)).unwrap();
    check_inverse(&vec![1.0, 2.0, 3.0], |y| copies(y, &x), |y| copies::uncall(y, &x)).unwrap();
    for flag in [false, true] {
        let x = [3, -1, 0, 8];
        let start = vec![1, 2, 3, 4];
        check_inverse(&start, |y| conditional_slices(y, &x, flag), |y| conditional_slices::uncall(y, &x, flag))
            .unwrap();
    }
}

#[test]
fn a_released_ancilla_has_the_value_it_is_released_with() {
    let (mut total, mut a) = (0, vec![1, 2, 3]);
    by_hand(&mut total, &mut a);
    assert_eq!((total, &a[..]), (1 + 2 + 3, &[1, 2, 3][..]));
    by_hand::uncall(&mut total, &mut a);
    assert_eq!((total, &a[..]), (0, &[1, 2, 3][..]));
}

#[reversible]
fn norm<T: Real>(x: &[T]) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

#[reversible]
fn mean_and_variance<T: Real>(x: &[T]) -> (T, T) {
    let n = x.len() as T;
    let mut mean = 0.0;
    for i in 0..x.len() {
        mean += x[i] / n;
    }
    let mut variance = 0.0;
    #[compute]
    {
        for i in 0..x.len() {
            let d = x[i] - mean;
            variance += d * d;
        }
    }
    (mean, variance / n)
}

#[reversible]
fn standardise<T: Real>(y: &mut [T], x: &[T]) {
    let (mean, variance) = mean_and_variance(x);
    let scale = if variance > 0.0 { variance.sqrt().recip() } else { 1.0 };
    for i in 0..y.len() {
        y[i] += (x[i] - mean) * scale + norm(&x[..i]);
    }
}

#[test]
fn functions_are_used_inside_expressions() {
    assert_eq!(norm(&[3.0, 4.0]), 5.0);
    assert_eq!(norm(&[3.0_f32, 4.0]), 5.0);
    assert_eq!(mean_and_variance(&[1.0, 3.0]), (2.0, 1.0));
    let x = [1.0, 3.0, 8.0];
    check_inverse(&vec![0.0; 3], |y| standardise(y, &x), |y| standardise::uncall(y, &x)).unwrap();
    assert!(norm::source(Direction::Inverse).contains("has a value and no inverse"));
}
