//! The laws of the language on fixtures: under each wrong construct stands a line of carets with a part of the message.

mod fixture;

use fixture::{accept, reject};

#[test]
fn a_target_does_not_occur_in_its_own_operand() {
    reject(
        "
fn f(x: &mut f64, y: f64) {
    *x += *x * y;
    ^^^^^^^^^^^^^ `*x` occurs in its own operand
}",
    );
    reject(
        "
fn f(x: &mut [f64], i: usize) {
    x[i] += 2.0 * x[i];
    ^^^^^^^^^^^^^^^^^^^ `x[i]` occurs in its own operand
}",
    );
    // By the name that was written, whichever of several it means.
    reject(
        "
fn f(y: &mut f64, x: f64) {
    let mut x = x;
    let mut x = x * x;
    x += x * x;
    ^^^^^^^^^^^ `x` occurs in its own operand
    *y += x;
}",
    );
    accept("fn f(x: &mut [f64], i: usize) { x[i + 1] += x[i]; x[0] += x[1]; }");
    accept("fn f(x: &mut [f64], i: usize, j: usize) { x[i] += x[j]; }");
    accept("fn f(x: &mut P, y: f64) { x.a += x.b * y; }");
}

#[test]
fn indices_and_conditions_read_nothing_that_the_statement_changes() {
    reject(
        "
fn f(a: &mut [usize]) {
    a[a[0]] += 1;
    ^^^^^^^^^^^^^ the index `a[0]` reads `a`
}",
    );
    reject(
        "
fn f(v: &mut [f64], k: &mut usize) {
    g(&mut v[*k], k);
    ^^^^^^^^^^^^^^^^^ the index `*k` reads `k`
}",
    );
    reject(
        "
fn f(x: &mut f64) {
    if *x > 0.0 {
       ^^^^^^^^ the condition `*x > 0.0` reads `x`
        *x -= 5.0;
        ^^^^^^^^^^ `x` is changed here
    }
}",
    );
    reject(
        "
fn f(x: &mut f64) {
    let c = *x > 0.0;
    ^^^^^^^^^^^^^^^^^ `c` is computed from `x` here
    if c {
        *x -= 5.0;
        ^^^^^^^^^^ `x` is changed while `c`
    }
}",
    );
    reject(
        "
fn f(n: &mut usize, y: &mut f64) {
    for i in 0..*n {
             ^^^^^ the loop goes through something that depends on `n`
        *n += 1;
        ^^^^^^^^ `n` is changed here
        *y += i as f64;
    }
}",
    );
    accept("fn f(x: &mut [f64]) { for i in 0..x.len() { x[i] += 1.0; } }");
    accept("fn f(x: &mut [f64]) { if x[0] > 0.0 { x[1] += 1.0; } }");
    accept("fn f(x: &mut f64) { if (*x > 0.0, *x > 1.0) { *x += 1.0; } }");
}

#[test]
fn shapes_change_only_with_whole_containers() {
    reject(
        "
fn f(s: &mut Stack<f64>, x: &mut f64) {
    for i in 0..s.len() {
             ^^^^^^^^^^ the loop goes through something that depends on `s`
        s.push(x);
        ^ `s` is changed here
        *x += i as f64;
    }
}",
    );
    reject(
        "
fn f(v: &mut Vec<f64>) {
    for i in 0..v.len() {
             ^^^^^^^^^^ depends on `v`
        g(v);
          ^ `v` is changed here
    }
}",
    );
    accept("fn f(v: &mut [f64]) { for i in 0..v.len() { g(v, i); } }");
    accept("fn f(v: &mut Vec<f64>) { for i in 0..v.len() { g(&mut v[i]); } }");
}

#[test]
fn a_let_lives_while_its_source_stays() {
    reject(
        "
fn f(x: &mut f64, y: &mut f64) {
    let a = *x;
    ^^^^^^^^^^^ `a` is computed from `x` here
    *x += 1.0;
    ^^^^^^^^^^ `x` is changed while `a`
    *y += a;
}",
    );
    reject(
        "
fn f(x: &mut f64, y: &mut f64) {
    let a = *x;
    let b = a * 2.0;
    *x += b;
    ^^^^^^^^ `x` is changed while `a`
    *y += b;
}",
    );
    reject(
        "
fn f(x: &mut f64, y: &mut f64) {
    let a = *x;
    for i in 0..3 {
        *y += a;
        *x += i as f64;
        ^^^^^^^^^^^^^^^ `x` is changed while `a`
    }
}",
    );
    accept("fn f(x: &mut f64, y: &mut f64) { let a = *x; *y += a; *x += 1.0; }");
    accept(
        "fn f(a: &mut [[f64; 9]; 9], n: usize, i: usize, k: usize) {
            let f = a[i][k];
            for j in k + 1..n { a[i][j] -= f * a[k][j]; }
        }",
    );
}

#[test]
fn an_ancilla_can_be_undone_or_is_released() {
    reject(
        "
fn f(x: &mut f64, y: &mut f64) {
    let mut t = 0.0;
    t += *x;
    ^^^^^^^^ `t` is computed from `x` here
    *x += 1.0;
    ^^^^^^^^^^ `x` is changed while the ancilla `t`
    *y += t;
}",
    );
    reject(
        "
fn f(a: &mut f64) {
    let mut t = 0.0;
            ^ the ancilla `t` begins here and has no `release!`
    swap(&mut t, a);
    ^^^^^^^^^^^^^^^^ this changes the ancilla `t` together with
}",
    );
    reject(
        "
fn f(a: &mut [f64]) {
    let mut t = 0.0;
    for i in 0..a.len() {
        t += a[i];
             ^^^^ the ancilla `t` is computed from something that the same statement changes
        a[i] += t;
        ^^^^^^^^^^ it is changed here
    }
}",
    );
    accept("fn f(y: &mut [f64], a: &[f64]) { let mut t = 0.0; for i in 0..9 { t += a[i]; y[i] += t; } }");
    accept("fn f(y: &mut f64, x: f64) { let mut t = 0.0; t += x; let k = t * 2.0; *y += k; t += *y; }");
    accept("fn f(a: &mut f64) { let mut t = 0.0; swap(&mut t, a); swap(&mut t, a); release!(t == 0.0); }");
}

#[test]
fn what_a_compute_block_computed_from_stays_until_it_is_undone() {
    reject(
        "
fn f(x: &mut [f64], y: &mut f64, k: &mut usize) {
    let mut t = 0.0;
    #[compute]
    {
        t += x[*k];
             ^^^^^ `t` is computed from it here
        *k += 1;
    }
    *y += t;
    x[*k - 1] += 1.0;
    ^^^^^^^^^^^^^^^^^ the `#[compute]` block is undone after this
}",
    );
    accept("fn f(x: &mut f64, y: &mut f64, k: f64) { #[compute] { *x -= k; } *y += *x * *x; }");
    accept("fn f(x: &mut f64, y: &mut f64, k: f64) { #[compute] { *x -= k; } *x *= 2.0; }");
}

#[test]
fn released_is_released() {
    reject(
        "
fn f(y: &mut f64) {
    let mut t = 1.0;
    release!(t == 1.0);
    ^^^^^^^^^^^^^^^^^^^ `t` is released here
    *y += t;
          ^ `t` was released
}",
    );
    reject(
        "
fn f(y: &mut f64, c: bool) {
    let mut t = 1.0;
    if c {
        release!(t == 1.0);
        ^^^^^^^^^^^^^^^^^^^ lives in another block
    }
    *y += t;
}",
    );
}

#[test]
fn all_errors_are_reported_at_once() {
    reject(
        "
fn f(x: &mut f64, y: &mut f64) {
    *x += *x;
    ^^^^^^^^^ occurs in its own operand
    *x = *y;
    ^^^^^^^^ discards the old `*x`
    while *x > 0.0 {
    ^^^^^^^^^^^^^^ `while` runs an unknown number of iterations
        *x -= 1.0;
    }
    return;
    ^^^^^^^ `return` exits early
}",
    );
}
