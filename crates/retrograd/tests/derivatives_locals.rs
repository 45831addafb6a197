//! Derivatives through locals: pure lets, ancillas of every kind, and what undoes them.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::prelude::*;

#[reversible]
fn chain(x: &mut f64, a: f64) {
    let t = a * a;
    let u = t * t.sin();
    let v = u + t;
    *x += v * u;
    *x *= v;
}

#[reversible]
fn of_what_changes_later(x: &mut f64, y: &mut f64) {
    let t = *x * *x;
    *y += t;
    *y *= t;
    *x += 1.0;
    let t = *x * 2.0;
    *y += t * t;
}

#[reversible]
fn shadowed(y: &mut f64, x: f64) {
    let x = x * x;
    let x = x.sin() + x;
    *y += x;
    {
        let x = x * 3.0;
        *y *= x;
    }
    let x_2 = 100.0 * x;
    *y += x_2;
}

#[reversible]
fn copies(y: &mut f64, a: [f64; 2]) {
    let b = a;
    let c = [b[1], b[0]];
    let d = (b, c);
    *y += d.0[0] * d.1[0] + c[1];
    let mut e = b;
    e[0] *= a[1];
    *y *= e[0] + e[1];
}

#[reversible]
fn rows(a: &[[f64; 2]], i: usize, k: usize) -> f64 {
    let row = &a[i];
    let mut sum = 0.0;
    for j in 0..2 {
        let other = &a[j];
        sum += row[k] * other[k] * row[1 - k];
    }
    sum
}

#[reversible]
fn unused(x: f64, y: f64) -> f64 {
    let a = x * y;
    let b = a.sin();
    let mut c = b * x;
    c += y;
    let mut d = [0.0; 3];
    for i in 0..3 {
        d[i] += c;
    }
    x * 2.0
}

#[test]
fn pure_lets() {
    laws!(chain(&mut x = 0.4, a = 0.7));
    laws!(of_what_changes_later(&mut x = 0.4, &mut y = 0.7));
    laws!(shadowed(&mut y = 0.4, x = 0.7));
    laws!(copies(&mut y = 0.2, a = [0.3, 0.5]));
    for (i, k) in [(1, 0), (0, 1)] {
        laws!(scalar rows(&[a] = vec![[0.3, 0.5], [0.2, 0.7]], #i = i, #k = k));
    }
    laws!(scalar unused(x = 0.3, y = 0.4));
}

#[reversible]
fn computed(y: &mut f64, x: f64) {
    let mut t = x;
    t *= x;
    t += x.sin();
    *y += t * t;
}

#[reversible]
fn summed(y: &mut f64, x: &[f64]) {
    let mut t = 0.0;
    for i in 0..x.len() {
        t += x[i] * x[i];
    }
    *y += t.sqrt();
    *y *= t;
}

#[reversible]
fn in_a_loop(y: &mut [f64], x: &[f64]) {
    for i in 0..y.len() {
        let mut t = x[i];
        for j in 0..i {
            t *= x[j];
            t += x[j].cos();
        }
        y[i] += t * t;
        y[i] *= t;
    }
}

#[reversible]
fn nested(y: &mut f64, x: &[f64]) {
    let mut s = 0.0;
    for i in 0..x.len() {
        let mut t = 0.0;
        for j in 0..x.len() {
            let mut u = x[j];
            u *= x[i];
            t += u.sin();
        }
        s += t * t;
    }
    *y += s;
}

#[reversible]
fn counted(x: &mut [f64], y: &mut f64, w: &[f64]) {
    let mut k = 0;
    for i in 0..w.len() {
        if w[i] > 0.5 {
            *y += x[k] * w[i];
            k += 1;
            *y *= x[k] + w[i];
        }
    }
    *y *= x[k];
}

#[test]
fn ancillas_that_are_undone_by_themselves() {
    laws!(computed(&mut y = 0.4, x = 0.7));
    laws!(summed(&mut y = 0.4, &[x] = vec![0.7, 0.2, 0.5]));
    laws!(in_a_loop(&mut [y] = vec![0.4, 0.3, 0.9], &[x] = vec![0.7, 0.2, 0.5]));
    laws!(nested(&mut y = 0.4, &[x] = vec![0.7, 0.2, 0.5]));
    laws!(counted(&mut [x] = vec![0.3, 0.9, 0.7], &mut y = 0.4, &[w] = vec![0.9, 0.1, 0.8]));
}

#[reversible]
fn used_at_each_value(y: &mut f64, z: &mut f64, x: f64) {
    let mut t = x;
    *y += t * t;
    t *= x + 1.0;
    *z += t * *y;
    t += x * x;
    *y *= t;
}

#[reversible]
fn computed_from_what_it_changed(y: &mut [f64], x: f64) {
    let mut t = 0.0;
    t += y[0] * x;
    y[1] += t;
    t += y[1] * x;
    y[2] *= t;
    t *= x;
    y[3] += t * t;
}

#[reversible]
fn backwards_at_each_value(y: &mut f64, z: &mut f64, x: f64) {
    #[inverse]
    {
        let mut t = x;
        *y += t * t;
        t *= x + 1.0;
        *z += t * *y;
        t += x * x;
        *y *= t;
    }
}

#[reversible]
fn backwards_in_a_loop(x: &mut [f64], a: f64) {
    #[inverse]
    for i in 1..x.len() {
        let mut t = a;
        t *= x[i - 1];
        x[i] += t * t;
        t += a;
        x[i] *= t;
    }
}

#[test]
fn an_ancilla_has_its_adjoint_at_each_use() {
    laws!(used_at_each_value(&mut y = 0.4, &mut z = 0.3, x = 0.7));
    laws!(computed_from_what_it_changed(&mut [y] = vec![0.4, 0.3, 0.6, 0.9], x = 0.7));
    laws!(backwards_at_each_value(&mut y = 0.4, &mut z = 0.3, x = 0.7));
    laws!(backwards_in_a_loop(&mut [x] = vec![0.4, 0.3, 0.6], a = 1.3));
}

#[reversible]
fn mixed_loop(y: &mut [f64], x: &[f64]) {
    let mut t = 0.0;
    for i in 0..x.len() {
        t += x[i] * x[i];
        y[i] += t * (x[i] + 1.0);
    }
    let mut u = t * 2.0;
    for i in 0..x.len() {
        u *= x[i];
        y[i] *= u + 2.0;
    }
}

#[reversible]
fn mixed_branches(y: &mut f64, x: &[f64], c: f64) {
    let mut t = c;
    for i in 0..x.len() {
        if x[i] > 0.3 {
            t *= x[i];
            *y += t * t;
        } else {
            let u = x[i] * c;
            t += u;
            *y *= t + u;
        }
    }
    *y += t;
}

#[reversible]
fn condition_on_an_ancilla(y: &mut f64, w: &[f64]) {
    let mut t = 0.0;
    for i in 0..w.len() {
        t += w[i];
        if t > 1.0 {
            *y *= t;
        } else {
            *y += w[i] * t;
        }
    }
    if t > 0.5 {
        *y *= w[0];
    }
}

#[reversible]
fn mixed_backwards(y: &mut [f64], x: &[f64]) {
    #[inverse]
    {
        let mut t = 1.0;
        for i in 0..x.len() {
            t *= x[i];
            y[i] += t * x[i];
        }
        y[0] *= t;
    }
}

#[test]
fn ancillas_that_are_undone_by_a_slice_of_a_statement() {
    laws!(mixed_loop(&mut [y] = vec![0.4, 0.3, 0.9], &[x] = vec![0.7, 0.2, 0.5]));
    laws!(mixed_branches(&mut y = 0.4, &[x] = vec![0.7, 0.2, 0.5], c = 1.3));
    laws!(condition_on_an_ancilla(&mut y = 0.4, &[w] = vec![0.9, 0.3, 0.8]));
    laws!(mixed_backwards(&mut [y] = vec![0.4, 0.3, 0.6], &[x] = vec![0.7, 0.8, 0.5]));
}

#[reversible]
fn released_by_another_value(x: &mut f64, y: &mut f64, a: f64) {
    let mut t = *x * a;
    *y += t * t;
    *x *= 2.0;
    *y *= t;
    release!(t == *x / 2.0 * a);
    let mut s = a;
    *x += s;
    s += *x * a;
    *y += s;
    s -= *x * a;
    release!(s == a);
}

#[reversible]
fn exchanged(x: &mut f64, a: f64) {
    let mut t = 0.0;
    t += *x * a;
    swap(&mut t, x);
    t -= *x / a;
    release!(t == 0.0);
}

#[reversible]
fn changed_together(x: &mut f64, y: &mut f64, a: f64) {
    *x += *y * a;
    *y += *x;
}

#[reversible]
fn changed_by_a_call(x: &mut f64, a: f64) {
    let mut t = a;
    changed_together(x, &mut t, a);
    *x *= 2.0;
    *x /= 2.0;
    changed_together::uncall(x, &mut t, a);
    *x *= t;
    release!(t == a);
}

#[reversible]
fn released_after_a_branch(x: &mut f64, n: &mut i64, a: f64) {
    let mut old = *n % 2;
    if old == 1 {
        *x *= a;
        *n += 2;
    } else {
        *x += a;
        *n += 4;
    }
    release!(old == *n % 2);
}

#[test]
fn ancillas_that_are_ended_by_hand() {
    laws!(released_by_another_value(&mut x = 0.4, &mut y = 0.7, a = 0.3));
    laws!(exchanged(&mut x = 0.4, a = 0.7));
    laws!(changed_by_a_call(&mut x = 0.4, a = 0.7));
    for n in [3, 2] {
        laws!(released_after_a_branch(&mut x = 0.4, #&mut n = n, a = 0.3));
    }
}

#[reversible]
fn versions(y: &mut f64, x: f64, z: f64) {
    let mut t = x * z;
    *y += t;
    t = t * t + z;
    *y *= t;
    t = t.cos() + x;
    *y += t;
    t *= z;
    *y *= t;
    t = t.sin();
    *y += t;
}

#[reversible]
fn versions_in_a_function(x: f64, z: f64) -> f64 {
    let mut t = x * z;
    t = t * t + z;
    t = t.sin();
    t += x;
    t = t / z;
    t
}

#[test]
fn versions_of_an_ancilla() {
    laws!(versions(&mut y = 0.4, x = 0.7, z = 0.3));
    laws!(scalar versions_in_a_function(x = 0.7, z = 0.3));
}

#[reversible]
fn arrays<T: Real>(y: &mut T, x: &[T]) {
    let mut v = vec![T::zero(); x.len()];
    let mut w = x.to_vec();
    let mut a = [T::one(); 3];
    for i in 0..x.len() {
        v[i] += x[i] * x[i];
        w[i] *= v[i];
        a[i] *= w[i];
    }
    for i in 1..x.len() {
        v[i] += v[i - 1] * x[i];
    }
    *y += v[x.len() - 1];
    for i in 0..v.len() {
        *y *= v[i] + a[i];
    }
}

#[reversible]
fn nested_vectors(y: &mut f64, x: &Vec<Vec<f64>>) {
    let mut w = x.clone();
    for i in 0..w.len() {
        for j in 0..w[i].len() {
            w[i][j] *= x[i][0];
            *y += w[i][j];
        }
    }
}

#[test]
fn vectors_and_arrays_as_ancillas() {
    laws!(arrays(&mut y = 0.4, &[x] = vec![0.7, 0.2, 0.5]));
    laws!(nested_vectors(&mut y = 0.4, &x = vec![vec![0.7, 0.2], vec![], vec![0.5]]));
}

#[reversible]
fn undone_before_the_value(y: &mut f64, a: f64, w: &[f64]) {
    let mut t = a;
    {
        #[compute]
        {
            for i in 0..w.len() {
                t *= w[i];
            }
        }
        *y += t;
        *y *= t;
    }
    *y += t;
}

#[reversible]
fn conjugated_in_a_function(x: &[f64], a: f64) -> f64 {
    let mut sum = 0.0;
    let mut t = a;
    for i in 0..x.len() {
        #[compute]
        {
            t *= x[i];
        }
        sum += t * t;
    }
    sum
}

#[test]
fn ancillas_in_compute_blocks() {
    laws!(undone_before_the_value(&mut y = 0.4, a = 0.7, &[w] = vec![1.2, 0.8]));
    laws!(scalar conjugated_in_a_function(&[x] = vec![0.4, 0.3], a = 0.7));
}

#[reversible]
fn product_and_sum(x: &[f64], a: f64) -> f64 {
    let mut s = a;
    let mut p = 1.0;
    for i in 0..x.len() {
        s += x[i] * p;
        p *= x[i];
    }
    let r = s * p;
    let mut q = r;
    q *= s;
    q + r
}

#[reversible]
fn series(x: f64) -> f64 {
    let mut sum = 0.0;
    let mut k = 0;
    let mut term = 1.0;
    while (k < 10, k > 0) {
        sum += term;
        k += 1;
        term *= x / k as f64;
    }
    sum
}

#[reversible]
fn bessel(z: f64, order: i32) -> f64 {
    let half = z / 2.0;
    let mut term = half.powi(order);
    for i in 1..=order {
        term /= i as f64;
    }
    let mut sum = term;
    let mut k = 0;
    while (term.abs() > 1e-14, k > 0) {
        k += 1;
        term *= -half * half;
        term /= (k * (k + order)) as f64;
        sum += term;
    }
    sum
}

#[reversible]
fn copy(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    for i in 0..x.len() {
        y[i] *= x[i] * x[0];
    }
    y.clone()
}

#[test]
fn locals_of_functions() {
    laws!(scalar product_and_sum(&[x] = vec![0.7, 0.2, 0.5], a = 0.3));
    laws!(scalar series(x = 0.7));
    laws!(fn copy(&[x] = vec![0.7, 0.2, 0.5]));
    let (value, slope) = bessel::gradient(1.0, 2);
    assert!((value - 0.11490348493190047).abs() < 1e-12 && (slope - 0.21024361588113258).abs() < 1e-12);
}

#[reversible]
fn log_sum_exp(x: &[f64]) -> f64 {
    #[constant]
    let shift = x[0].max(x[1]);
    let sum = (x[0] - shift).exp() + (x[1] - shift).exp();
    shift + sum.ln()
}

#[reversible]
fn weighted_by_itself(x: &[f64], y: f64) -> f64 {
    #[constant]
    let weights = x.to_vec();
    #[constant]
    let mut scale = y * y;
    scale += 1.0;
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += weights[i] * x[i];
    }
    sum * scale * y
}

#[test]
fn nothing_flows_through_a_constant_let() {
    let (_, gradient) = log_sum_exp::gradient(&[0.3, 0.9]);
    let weights = [0.3_f64.exp(), 0.9_f64.exp()].map(|e| e / (0.3_f64.exp() + 0.9_f64.exp()));
    laws::close(&weights, &gradient, "the gradient of a log-sum-exp");
    let (value, grad_x, grad_y) = weighted_by_itself::gradient(&[2.0, 3.0], 2.0);
    assert_eq!((value, grad_x, grad_y), (130.0, vec![20.0, 30.0], 65.0));
    let (value, slope) = weighted_by_itself::pushforward((&[2.0, 3.0], &[1.0, 1.0]), (2.0, 1.0));
    assert_eq!((value, slope), (130.0, 115.0));
}

#[reversible]
fn views_used_again(y: &mut f64, x: &[f64], a: f64) {
    let mut v = [0.0; 4];
    v[0] += a;
    let w = &mut v[1..];
    w[0] += a * a;
    for i in 0..2 {
        w[i + 1] += x[i] * a;
    }
    for i in 0..4 {
        *y += v[i] * v[i];
    }
    let mut u = [[0.0; 2]; 3];
    let (first, rest) = u.split_at_mut(1);
    first[0][1] += a.sin();
    rest[1][0] += a.cos();
    let row = &mut rest[0];
    row[1] += x[0] * first[0][1];
    rest[1][1] += a;
    for i in 0..3 {
        *y *= 1.5 + u[i][0] * u[i][1] + u[0][1];
    }
}

#[reversible]
fn views_in_loops(y: &mut f64, x: &[f64], a: f64) {
    let mut v = [0.0; 4];
    for k in 1..3 {
        let w = &mut v[k..];
        for i in 0..2 {
            w[i] += x[i] * a * k as f64;
        }
        v[0] += x[k] * a;
    }
    for i in 0..4 {
        *y += v[i] * v[i];
    }
}

#[reversible]
fn views_of_fields(p: &mut ([f64; 3], [f64; 2]), a: f64) {
    let v = &mut p.0[1..];
    v[0] *= a;
    v[1] += a * a;
    let w = &mut p.1;
    w[0] += a;
    p.0[0] += p.0[1] * p.1[0];
}

#[test]
fn views_of_ancillas_and_of_fields() {
    laws!(views_used_again(&mut y = 0.4, &[x] = vec![0.3, 0.7], a = 0.9));
    laws!(views_in_loops(&mut y = 0.4, &[x] = vec![0.3, 0.7, 0.6], a = 0.9));
    laws!(views_of_fields(&mut p = ([0.2, 0.3, 0.4], [0.5, 0.6]), a = 0.9));
}
