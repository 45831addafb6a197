//! Derivative runs of every statement.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::prelude::*;

#[reversible]
fn sums(x: &mut f64, y: &mut f64, a: f64, b: f64) {
    *x += a * b + a.sin();
    *y -= *x * a / b;
    *x -= y.exp() * *y;
}

#[reversible]
fn products(x: &mut f64, y: &mut f64, a: f64) {
    *x *= a * *y + 2.0;
    *y /= *x + a * a;
    *x *= 3.0;
    *y /= 2.0;
}

#[reversible]
fn elements(x: &mut [f64], n: usize) {
    for i in 0..n {
        x[i + 1] += x[i] * x[i];
        x[0] -= x[i + 1] * 0.5;
        x[i] = -x[i];
    }
}

#[test]
fn updates() {
    laws!(sums(&mut x = 0.3, &mut y = 0.7, a = 1.2, b = 0.4));
    laws!(products(&mut x = 0.3, &mut y = 0.7, a = 1.2));
    laws!(elements(&mut [x] = vec![0.4, 0.3, 0.6, 0.7], #n = 3));
}

#[reversible]
fn flips(x: &mut f64, k: &mut i32, b: &mut bool) {
    *x = -*x;
    *k = -*k;
    *b = !*b;
    *k ^= 5;
    *x *= *k as f64;
}

#[test]
fn signs_and_bits() {
    laws!(flips(&mut x = 0.3, #&mut k = 3, #&mut b = true));
}

#[reversible]
fn in_place<T: Real>(x: &mut [T]) {
    x[0] = x[0].exp();
    x[1] = x[1].ln();
    x[2] = x[2].exp_m1();
    x[3] = x[3].ln_1p();
    x[4] = x[4].sinh();
    x[5] = x[5].asinh();
    x[6] = x[6].tanh();
    x[7] = x[7].atanh();
    x[8] = x[8].cbrt();
    x[9] = x[9].cube();
    x[10] = x[10].recip();
    x[11] = x[11].conj();
}

#[bijection(inverse = unsquash, d = 1.0 / (1.0 + x.abs()).powi(2))]
fn squash(x: f64) -> f64 {
    x / (1.0 + x.abs())
}

fn unsquash(y: f64) -> f64 {
    y / (1.0 - y.abs())
}

#[bijection(inverse = (y - 1.0).cbrt())]
fn bend(y: f64) -> f64 {
    y.cube() + 1.0
}

#[reversible]
fn own_bijections(x: &mut f64, a: f64) {
    *x *= a;
    *x = squash(*x);
    *x += a;
    #[inverse]
    {
        *x = squash(*x);
    }
    *x = bend(*x);
    *x *= a;
    *x += 1.0;
    #[inverse]
    {
        *x = bend(*x);
    }
}

#[bijection(inverse = x.square())]
fn root<T: Real>(x: T) -> T {
    x.sqrt()
}

#[bijection(inverse = y.recip() - T::one(), d = -(T::one() + y).powi(-2))]
fn share<T: Real>(y: T) -> T {
    (T::one() + y).recip()
}

#[reversible]
fn bijections_of_any_number<T: Real>(x: &mut [T; 2]) {
    x[0] = root(x[0]);
    x[1] = share(x[1]);
    x[0] += x[1];
    #[inverse]
    {
        x[0] = root(x[0]);
    }
}

#[bijection(inverse = (y - 1.0) / 2.0)]
fn doubled<T: Real>(y: T) -> T {
    2.0 * y + 1.0
}

#[bijection(inverse = lowered, d = 0.5)]
fn halved<T>(y: T) -> T
where
    T: Real,
{
    let offset = T::lit(0.25);
    0.5 * y + offset
}

fn lowered<T: Real>(y: T) -> T {
    (y - T::lit(0.25)) * T::lit(2.0)
}

#[reversible]
fn bijections_with_literals<T: Real>(x: &mut [T; 2], a: T) {
    x[0] = doubled(x[0]);
    x[0] *= a;
    x[1] = halved(x[1]);
    x[1] += doubled(a) * halved(a);
    #[inverse]
    {
        x[0] = halved(x[0]);
        x[1] = doubled(x[1]);
    }
}

#[test]
fn bijections_in_place() {
    laws!(bijections_with_literals(&mut x = [0.3, 0.7], a = 0.2));
    laws!(bijections_of_any_number(&mut x = [0.3, 0.7]));
    laws!(in_place(&mut [x] = vec![0.3, 0.7, 0.2, 0.4, 0.5, 0.6, 0.3, 0.4, 0.8, 0.9, 1.3, 0.2]));
    laws!(own_bijections(&mut x = 0.3, a = 0.2));
}

#[reversible]
fn exchanges(x: &mut [f64], a: &mut f64, b: &mut f64, k: usize) {
    x.swap(0, 2);
    swap(a, b);
    swap(&mut x[1], a);
    x.rotate_left(k);
    x[0] *= *a;
    x.rotate_right(1);
    swap(&mut x[0], &mut x[2]);
    x.reverse();
    *b += x[0] * x[0];
}

#[reversible]
fn whole_exchange(x: &mut Vec<f64>, y: &mut Vec<f64>, c: f64) {
    swap(x, y);
    for i in 0..x.len() {
        x[i] *= c;
    }
}

#[reversible]
fn rotations<T: Real>(x: &mut [T], t: T, i: usize, j: usize) {
    rotate(&mut x[i], &mut x[j], t * x[2]);
    rotate::uncall(&mut x[2], &mut x[i], t);
    rotate(&mut x[1], &mut x[2], x[0]);
}

#[test]
fn permutations_and_rotations() {
    laws!(exchanges(&mut [x] = vec![0.3, 0.4, 1.5], &mut a = 0.7, &mut b = 2.0, #k = 2));
    laws!(whole_exchange(&mut x = vec![0.3, 0.4, 1.5], &mut y = vec![0.7], c = 2.0));
    laws!(rotations(&mut [x] = vec![0.3, 0.4, 1.5], t = 0.3, #i = 0, #j = 1));
}

#[reversible]
fn pushes(x: &mut f64, y: &mut f64, stack: &mut Stack<f64>) {
    stack.push(x);
    *x += *y * 2.0;
    stack.push(x);
    *y *= 3.0;
    stack.pop(x);
    *y += *x;
    stack.push(x);
}

#[reversible]
fn stacked(x: &mut [f64], n: usize, a: f64) {
    let mut stack: Stack<f64> = Stack::new();
    for i in 0..n {
        let mut t = 0.0;
        t += x[i] * a;
        stack.push(&mut t);
        release!(t == 0.0);
    }
    for i in 0..n {
        let mut t = 0.0;
        stack.pop(&mut t);
        x[n + i] += t * t;
        t -= x[n - 1 - i] * a;
        release!(t == 0.0);
    }
    release!(stack == Stack::new());
}

#[reversible]
fn allocates(x: &mut f64, slots: &mut Slots<usize, f64>) {
    slots.allocate(5);
    slots[5] += *x * slots[0];
    *x *= slots[5] + 1.0;
    slots[0] += *x;
}

/// What `push` leaves is changed before it is pushed again.
#[reversible]
fn renew(x: &mut f64, old: &mut Stack<f64>, a: f64) {
    old.push(x);
    *x += a * a;
}

#[reversible]
fn renew_in_loops(x: &mut [f64], old: &mut Stack<f64>, a: f64, n: usize) {
    for i in 0..n {
        if i % 2 == 0 {
            old.push(&mut x[0]);
            x[0] += a * x[1];
        } else {
            renew(&mut x[1], old, a);
            x[0] *= a;
        }
    }
    renew::uncall(&mut x[1], old, a);
    x[1] += a * x[0];
}

#[reversible]
fn renew_for_a_while(x: &mut f64, y: &mut f64, scratch: &mut Stack<f64>, a: f64) {
    {
        #[compute]
        {
            scratch.push(x);
            *x += a * a;
        }
        *y *= *x + 1.0;
    }
    #[inverse]
    {
        scratch.pop(x);
        *x -= a;
    }
}

#[reversible]
fn allocates_again(x: &mut f64, slots: &mut Slots<usize, f64>, n: usize) {
    for k in 1..n {
        slots.allocate(k);
        slots[k] += *x * slots[k - 1];
        *x *= slots[k] + 1.0;
    }
    slots.allocate(n);
    slots[n] += *x * 2.0;
    slots[n] -= *x * 2.0;
    slots.free(n);
}

#[test]
fn what_is_dropped_of_adjoints_belongs_to_the_run_that_is_undone() {
    let (mut x, mut y, mut scratch, a) = (0.8, 0.4, Stack::new(), 0.7);
    renew_for_a_while(&mut x, &mut y, &mut scratch, a);
    let (after_x, after_y, after_scratch) = (x, y, scratch.clone());
    let (mut grads, mut first) = ((0.0, 0.0, Stack::from(vec![0.5]), 0.0), None);
    for _ in 0..3 {
        (x, y, scratch) = (after_x, after_y, after_scratch.clone());
        (grads.0, grads.1, grads.3) = (1.5, 2.5, 0.25);
        let (gx, gy, gs, ga) = (&mut grads.0, &mut grads.1, &mut grads.2, &mut grads.3);
        renew_for_a_while::pullback((&mut x, gx), (&mut y, gy), (&mut scratch, gs), (a, ga));
        let found = (grads.0, grads.1, grads.3);
        assert_eq!(*first.get_or_insert(found), found);
        grads.2.push(&mut 0.5);
    }
}

#[test]
fn storage() {
    laws!(renew(&mut x = 2.0, &mut old = Stack::new(), a = 3.0));
    laws!(renew_in_loops(&mut [x] = vec![0.8, 0.2], &mut old = Stack::from(vec![0.3]), a = 0.7, #n = 5));
    laws!(renew_for_a_while(&mut x = 0.8, &mut y = 0.4, &mut scratch = Stack::new(), a = 0.7));
    laws!(allocates_again(&mut x = 0.8, &mut slots = Slots::from_iter([(0, 1.5)]), #n = 4));
    laws!(pushes(&mut x = 0.8, &mut y = 0.4, &mut stack = Stack::from(vec![1.0, 2.0])));
    laws!(stacked(&mut [x] = vec![0.8, 0.2, 0.5, 0.4], #n = 2, a = 0.7));
    laws!(allocates(&mut x = 0.8, &mut slots = Slots::from_iter([(0, 1.5), (3, 0.5)])));
}

#[reversible]
fn branches(x: &mut f64, a: f64, n: usize) {
    if a > 0.5 {
        *x *= a;
    } else if n > 2 {
        *x += a.cos();
    } else {
        *x -= a * a;
    }
}

#[reversible]
fn postconditions(x: &mut f64, k: &mut i32, a: f64) {
    if (*x > 0.0, *x > 1.0) {
        *x *= a;
        *x += 1.0;
        *k += 1;
    } else {
        *x -= a * a;
    }
}

#[reversible]
fn arms(x: &mut f64, n: usize, a: f64) {
    match n {
        0 => *x += a,
        1 | 2 => {
            *x *= a;
            *x += a;
        }
        k if k > 10 => *x -= a * k as f64,
        _ => {}
    }
}

#[test]
fn branches_and_arms() {
    for (a, n) in [(1.0, 1), (0.2, 1), (0.2, 5)] {
        laws!(branches(&mut x = 0.8, a = a, #n = n));
    }
    for x in [0.8, -0.8] {
        laws!(postconditions(&mut x = x, #&mut k = 2, a = 1.3));
    }
    for n in [0, 1, 2, 5, 12] {
        laws!(arms(&mut x = 0.8, #n = n, a = 1.3));
    }
}

enum Kind {
    Add,
    Scale(f64),
    Both { by: f64, times: usize },
}

#[reversible]
fn by_kind(x: &mut f64, #[constant] kind: &Kind, a: f64) {
    match kind {
        Kind::Add => *x += a,
        Kind::Scale(by) => *x *= *by * a,
        Kind::Both { by, times } => {
            *x += *by * a;
            *x *= *times as f64;
        }
    }
}

#[test]
fn what_a_pattern_takes_out_of_a_constant_is_constant() {
    let kinds = [Kind::Add, Kind::Scale(2.0), Kind::Both { by: 0.5, times: 3 }];
    for (kind, gradient) in kinds.iter().zip([(1.0, 1.0), (3.0, 1.0), (3.0, 1.5)]) {
        let (mut x, mut grad_x, mut grad_a) = (0.5, 1.0, 0.0);
        by_kind(&mut x, kind, 1.5);
        by_kind::pullback((&mut x, &mut grad_x), kind, (1.5, &mut grad_a));
        assert_eq!((x, (grad_x, grad_a)), (0.5, gradient));
    }
}

#[reversible]
fn turns(x: &mut f64, k: &mut usize, a: f64, n: usize) {
    while (*k < n, *k > 0) {
        *x *= a;
        *x += a.sin();
        *k += 1;
    }
}

#[reversible]
fn turns_of_time(x: &mut f64, t: &mut f64, a: f64) {
    while (*t < 0.95, *t > 0.05) {
        *x += a * *t;
        *t += 0.1;
    }
}

#[reversible]
fn steps(x: &mut f64, a: f64, n: usize) {
    for i in (1..=n).rev().step_by(2) {
        *x *= a;
        *x += i as f64 * a;
    }
    for j in (-3_i8..3).step_by(2).rev() {
        *x += a * j as f64;
        *x *= 1.1;
    }
    for _ in n + 2..n {
        *x *= a;
    }
}

#[test]
fn loops() {
    for n in [4, 1, 0] {
        laws!(turns(&mut x = 0.8, #&mut k = 0, a = 1.1, #n = n));
        laws!(steps(&mut x = 0.8, a = 1.1, #n = n));
    }
    laws!(turns_of_time(&mut x = 0.8, &mut t = 0.0, a = 1.1));
}

#[reversible]
fn computes(d: &mut f64, a: &mut [f64], b: &[f64]) {
    #[compute]
    {
        for i in 0..b.len() {
            a[i] -= b[i] * b[i];
        }
    }
    for i in 0..b.len() {
        *d += a[i] * a[i];
    }
}

#[reversible]
fn computes_twice(x: &mut [f64], d: &mut f64, a: f64) {
    #[compute]
    {
        x[0] *= a;
        x[1] += x[0] * x[0];
    }
    *d += x[1] * a;
    #[compute]
    {
        x[2] -= x[1];
    }
    *d *= x[2] * x[0];
}

#[reversible]
fn turns_and_turns_back(x: &mut [f64], a: f64) {
    {
        #[compute]
        {
            rotate(&mut x[0], &mut x[1], a);
        }
        x[0] *= a;
        x[1] += x[0] * x[2];
    }
    x[2] *= x[0];
}

#[test]
fn compute_blocks() {
    laws!(computes(&mut d = 0.5, &mut [a] = vec![0.4, 0.3], &[b] = vec![1.5, 0.2]));
    laws!(computes_twice(&mut [x] = vec![0.4, 0.3, 0.6], &mut d = 0.7, a = 1.3));
    laws!(turns_and_turns_back(&mut [x] = vec![0.4, 0.3, 0.6], a = 1.3));
}

#[reversible]
fn inverses(x: &mut f64, y: &mut f64, a: f64) {
    #[inverse]
    {
        *x *= a;
        *y += *x * a;
        *x = x.exp();
    }
    #[inverse]
    for i in 0..3 {
        *x += a * i as f64;
        *y *= *x;
    }
    #[inverse]
    *x += a;
    #[inverse]
    if (*y > 0.0, *y > 1.0) {
        *y += 1.0;
    }
}

#[reversible]
fn inverse_blocks(x: &mut [f64], a: f64) {
    #[inverse]
    {
        #[compute]
        {
            x[0] += a * x[1];
        }
        x[2] *= x[0];
    }
    #[inverse]
    {
        let t = x[0] * a;
        x[1] += t;
    }
    #[inverse]
    #[inverse]
    if x[1] > 0.0 {
        x[0] *= a;
    }
}

#[reversible]
fn scale_and_shift(x: &mut f64, y: f64) {
    *x *= y;
    *x += y.sin();
}

#[reversible]
fn uncalls(x: &mut f64, y: &mut f64, a: f64) {
    scale_and_shift(x, *y * a);
    scale_and_shift::uncall(y, *x);
    #[inverse]
    scale_and_shift(x, a);
    #[inverse]
    scale_and_shift::uncall(x, a + *y);
}

#[test]
fn statements_run_backwards() {
    laws!(inverses(&mut x = 1.5, &mut y = 3.7, a = 1.4));
    laws!(inverse_blocks(&mut [x] = vec![0.4, 0.3, 0.6], a = 1.3));
    laws!(uncalls(&mut x = 1.5, &mut y = 0.7, a = 1.4));
}

#[reversible]
fn marked(x: &mut f64, a: f64) {
    #[unchecked]
    {
        *x *= a;
        *x += 1.0;
    }
    #[unroll(4)]
    for i in 0..4 {
        *x *= a;
        #[unchecked]
        for j in 0..i {
            *x += a * j as f64;
        }
    }
    {
        let t = a * a;
        *x += t;
    }
}

#[test]
fn marks_change_no_derivative() {
    laws!(marked(&mut x = 1.5, a = 1.4));
}

#[reversible]
fn counted(x: &mut f64, #[host] calls: &mut usize, a: f64) {
    #[host]
    {
        *calls += 1;
    }
    assert!(a > 0.0);
    *x *= a;
    counted_shift(x, calls, a);
}

#[reversible]
fn counted_shift(x: &mut f64, #[host] calls: &mut usize, a: f64) {
    #[host]
    {
        *calls += 1;
    }
    *x += a;
}

#[test]
fn host_statements_do_not_run_in_derivative_runs() {
    let (mut x, mut shadow, mut grad_a, mut calls) = (0.5, 1.0, 0.0, 0);
    counted(&mut x, &mut calls, 2.0);
    counted::uncall(&mut x, &mut calls, 2.0);
    assert_eq!(calls, 4);
    counted::pushforward((&mut x, &mut shadow), &mut calls, (2.0, 0.0));
    counted::pullback((&mut x, &mut shadow), &mut calls, (2.0, &mut grad_a));
    assert_eq!((x, shadow, grad_a, calls), (0.5, 4.0, 2.0 * 1.5, 4));
}
