//! Derivatives through loops over elements, and through views.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::prelude::*;

#[reversible]
fn read(x: &[f64], w: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v * v;
    }
    for v in x.iter() {
        s *= v + 1.0;
    }
    for (a, b) in x.iter().zip(w) {
        s += a * b;
    }
    for (i, c) in x.chunks_exact(2).enumerate() {
        s += c[0] * c[1] * i as f64;
    }
    for &v in x {
        s += v.sin();
    }
    for (&a, b) in x.iter().zip(w.iter()).rev().step_by(2) {
        s *= a + *b;
    }
    for v in x.iter().copied() {
        s += v;
    }
    for v in x[1..].iter().rev() {
        s += *v * s_of(*v);
    }
    s
}

#[reversible]
fn s_of(v: f64) -> f64 {
    v.cos()
}

#[reversible]
fn arrays(x: &[f64; 3], rows: &[[f64; 2]]) -> f64 {
    let mut s = 1.0;
    for v in x.iter() {
        s *= v + 1.0;
    }
    for row in rows {
        for v in row {
            s += v * v * row[0];
        }
    }
    for (i, row) in rows.iter().enumerate() {
        s *= row[1] + x[i];
    }
    s
}

#[reversible]
fn nothing(x: &[f64], y: f64) -> f64 {
    let mut s = y;
    for v in x {
        s *= v;
    }
    for (a, b) in x.iter().zip(x.iter().rev()) {
        s += a * b;
    }
    s
}

const WEIGHTS: [f64; 3] = [1.0, 2.0, -3.0];
static STATIC_WEIGHTS: [f64; 3] = [0.5, 2.0, 3.0];
const LENT_WEIGHTS: &[f64] = &[1.5, 2.0, 3.0];

mod elsewhere {
    pub(crate) const WEIGHTS: [f64; 3] = [1.0, -2.0, 3.0];

    pub(crate) struct Weighted;

    impl Weighted {
        pub(crate) const WEIGHTS: [f64; 3] = [4.0, 2.0, 3.0];
    }
}

#[reversible]
fn beside_constants(x: &[f64]) -> f64 {
    let mut s: f64 = x.iter().zip(WEIGHTS.iter()).map(|(a, b)| a * b).sum();
    for (a, b) in x.iter().zip(WEIGHTS.iter()) {
        s += a * b;
    }
    for (a, b) in x.iter().zip(STATIC_WEIGHTS.iter()) {
        s *= a * b + 5.0;
    }
    for (a, b) in x.iter().zip(LENT_WEIGHTS) {
        s += a * a * b;
    }
    for (b, a) in WEIGHTS.iter().zip(x) {
        s += a * b;
    }
    for (a, b) in x.iter().zip(&STATIC_WEIGHTS) {
        s += a * b;
    }
    for (a, b) in x.iter().zip(elsewhere::WEIGHTS.iter()).rev() {
        s *= a * b + 7.0;
    }
    for ((a, b), w) in x.iter().zip(elsewhere::Weighted::WEIGHTS.iter()).zip(STATIC_WEIGHTS.windows(1)) {
        s += a.sin() * b * w[0];
    }
    for (a, b) in x.chunks_exact(2).zip(WEIGHTS.chunks_exact(2)) {
        s += a[0] * b[1] * a[1];
    }
    s
}

#[reversible]
fn through_constants(x: f64) -> f64 {
    let mut s: f64 = WEIGHTS.iter().map(|w| w * x).sum();
    for w in WEIGHTS.iter() {
        s += w * x;
    }
    for w in &STATIC_WEIGHTS {
        s *= w * x;
    }
    for w in LENT_WEIGHTS.iter().copied() {
        s += w * x;
    }
    for (i, w) in WEIGHTS.iter().enumerate() {
        s += w * x * i as f64;
    }
    s
}

#[reversible]
fn changed_beside_constants(x: &mut [f64]) {
    for (a, w) in x.iter_mut().zip(WEIGHTS.iter()) {
        *a += w;
    }
    for (a, w) in x.iter_mut().zip(STATIC_WEIGHTS) {
        *a *= w;
    }
}

#[test]
fn elements_that_are_read() {
    laws!(scalar read(&[x] = vec![0.3, 0.5, 0.8, 0.9], &[w] = vec![0.2, 0.4, 0.6, 0.1]));
    laws!(scalar read(&[x] = vec![0.3], &[w] = vec![0.2]));
    laws!(scalar arrays(&x = [0.3, 0.2, 0.4], &[rows] = vec![[0.5, 0.6], [0.7, 0.8]]));
    laws!(scalar nothing(&[x] = vec![], y = 0.7));
}

#[reversible]
fn zipped(x: &[f64], w: &[f64]) -> f64 {
    let mut s = 1.0;
    for (a, b) in x.iter().zip(w) {
        s *= a + b;
    }
    for (a, b) in w.iter().zip(x) {
        s += a * b;
    }
    for (a, b) in x.iter().zip(w.iter().rev()) {
        s *= a + b;
    }
    for (a, b) in x.iter().rev().zip(w) {
        s *= a + b;
    }
    for (a, b) in x.iter().step_by(2).zip(w.iter()) {
        s *= a + b;
    }
    s
}

#[reversible]
fn zipped_with_numbers(x: &[f64], k: &[u8]) -> f64 {
    let mut s = 1.0;
    for (a, i) in x.iter().zip(0..2) {
        s += a * i as f64;
    }
    for (i, a) in (1..100).zip(x) {
        s += a * i as f64;
    }
    for (i, a) in (1..=3_u16).zip(x) {
        let j: u16 = i;
        s *= a + j as f64;
    }
    for (i, a) in (-1..5_i32).zip(x) {
        s += a * i as f64;
    }
    for (i, a) in (-3..=3_i8).step_by(2).rev().zip(x) {
        s *= a * i as f64;
    }
    for (a, k) in x.iter().zip(k) {
        s += a * *k as f64;
    }
    s
}

#[test]
fn slices_of_different_lengths() {
    laws!(scalar zipped(&[x] = vec![0.3, 0.5, 0.8, 0.9], &[w] = vec![0.2, 0.4, 0.6]));
    laws!(scalar zipped(&[x] = vec![0.3, 0.5], &[w] = vec![0.2, 0.4, 0.6]));
    laws!(scalar zipped_with_numbers(&[x] = vec![0.3, 0.5, 0.8, 0.9], #&[k] = vec![3_u8, 1, 2]));
}

#[reversible]
fn changed(x: &mut [f64], a: f64, w: &[f64]) {
    for v in x.iter_mut() {
        *v *= a;
    }
    for (v, w) in x.iter_mut().zip(w.iter()) {
        *v += w * a;
    }
    for (i, v) in x.iter_mut().enumerate() {
        *v *= i as f64 + a;
    }
    for c in x.chunks_exact_mut(2) {
        c[0] += c[1] * a;
        c[1] *= c[0];
    }
    for (v, b) in x.iter_mut().rev().zip(w.iter().rev()) {
        *v -= b * b;
    }
    for v in x.iter_mut().step_by(2) {
        *v *= a;
        *v = v.exp();
    }
    for (i, (v, w)) in x.iter_mut().zip(w).enumerate().rev() {
        *v += w * i as f64;
    }
}

#[reversible]
fn changed_rows(x: &mut [[f64; 2]], y: &mut [Vec<f64>], a: f64) {
    for row in x.iter_mut() {
        row[0] += row[1] * a;
        for v in row.iter_mut() {
            *v *= a;
        }
    }
    for (row, other) in y.iter_mut().zip(x.iter()) {
        for (v, w) in row.iter_mut().zip(other) {
            *v += w * w;
        }
    }
}

#[reversible]
fn scratch_for_each(x: &mut [f64], y: &mut f64) {
    for v in x.iter_mut() {
        let mut t = v.sin();
        t *= 2.0;
        *y += t * v.cos();
        *v *= 1.5;
    }
}

#[test]
fn elements_that_are_changed() {
    laws!(changed(&mut [x] = vec![0.3, 0.5, 0.8, 0.9], a = 0.7, &[w] = vec![0.2, 0.4, 0.6]));
    laws!(changed(&mut [x] = vec![], a = 0.7, &[w] = vec![0.2, 0.4, 0.6]));
    laws!(changed_rows(&mut [x] = vec![[0.3, 0.5], [0.8, 0.9]], &mut [y] = vec![vec![0.2], vec![0.3, 0.4]], a = 0.7));
    laws!(scratch_for_each(&mut [x] = vec![0.3, 0.5], &mut y = 0.2));
}

#[reversible]
fn views(x: &mut [f64], a: f64, m: usize) {
    let v = &mut x[1..3];
    v[0] *= a;
    v[1] += v[0] * v[0];
    let (l, r) = x.split_at_mut(m);
    l[0] += r[0] * a;
    r[1] *= l[1];
    let w = &mut r[1..];
    w[0] *= l[0];
}

#[reversible]
fn view_of_a_part(p: &mut ([f64; 3], f64), a: f64) {
    let v = &mut p.0[1..];
    v[0] *= a;
    v[1] += v[0] * v[0];
    p.1 += p.0[2] * a;
}

#[reversible]
fn view_of_a_row(p: &mut [[f64; 3]; 2], a: f64) {
    let v = &mut p[0][1..];
    v[0] *= a;
    v[1] += v[0] * v[0];
    let q = &mut p[1];
    q[0] *= a;
}

#[reversible]
fn views_in_a_loop(x: &mut [f64], n: usize) {
    for i in 0..n {
        let (done, rest) = x.split_at_mut(i + 1);
        for v in rest.iter_mut() {
            *v += done[i] * done[0];
        }
        let last = &mut rest[n - i - 1..];
        last[0] *= done[0];
    }
}

#[test]
fn parts_under_another_name() {
    laws!(views(&mut [x] = vec![0.3, 0.5, 0.8, 0.9], a = 0.7, #m = 2));
    laws!(view_of_a_part(&mut p = ([0.3, 0.5, 0.8], 0.9), a = 0.7));
    laws!(view_of_a_row(&mut p = [[0.3, 0.5, 0.8], [0.9, 0.2, 0.4]], a = 0.7));
    laws!(views_in_a_loop(&mut [x] = vec![0.3, 0.5, 0.8, 0.9], #n = 3));
}

#[reversible]
fn unrolled_under_other_attributes(s: &mut f64, x: &[f64]) {
    #[unroll(2)]
    #[unchecked]
    for i in 0..x.len() {
        *s += x[i] * x[i];
    }
    #[unroll(4)]
    #[inverse]
    for i in 0..x.len() {
        *s -= x[i] * x[0];
    }
}

#[test]
fn attributes_of_a_loop_stand_in_any_order() {
    laws!(unrolled_under_other_attributes(&mut s = 0.5, &[x] = vec![1.0, 2.0, 3.0]));
}

#[reversible]
fn pairs_taken_apart(x: &mut [(f64, f64)]) {
    for (a, b) in x.iter_mut() {
        *a += *b;
        *b *= 2.0;
    }
    for (i, (a, b)) in x.iter_mut().enumerate().rev() {
        *a += *b * i as f64;
        *b += a.sin();
    }
}

#[reversible]
fn nested_pairs_taken_apart(x: &[(f64, f64)], y: &mut [(f64, (f64, usize))]) {
    for ((a, b), (c, (d, n))) in x.iter().zip(y.iter_mut()) {
        *c += *a * *d;
        *d += *b * *n as f64;
        *n += 1;
        *d += *c * *c;
    }
}

#[test]
fn elements_that_are_changed_part_by_part() {
    laws!(pairs_taken_apart(&mut [x] = vec![(0.3, 0.5), (0.8, 0.9), (0.1, 0.2)]));
    laws!(nested_pairs_taken_apart(
        &[x] = vec![(0.3, 0.5), (0.8, 0.9)],
        &mut [y] = vec![(0.2, (0.4, 1)), (0.7, (0.6, 2))]
    ));
}

/// A procedure with each of its loops very often.
macro_rules! again_and_again {
    ($(($a:literal $b:literal))*) => {
        again_and_again!(@ $(($a $b))* $(($a $b))* $(($a $b))* $(($a $b))*);
    };
    (@ $(($a:literal $b:literal))*) => {
        #[reversible]
        fn again_and_again(x: &mut [f64], w: &[f64], n: usize) {
            let mut s = w[0];
            $(
                if n > $b {
                    for i in 0..n {
                        x[i] += w[i] * $a;
                    }
                } else {
                    x[0] *= 1.01;
                }
                let t = s * $a;
                for i in 1..x.len() {
                    let u = t * w[i];
                    x[0] += u.sin() * x[i];
                }
                s += w[$b] * $a;
            )*
            x[1] += s;
        }
    };
}
again_and_again!((0.1 0)(0.2 1)(0.3 2)(1.4 3)(0.5 2)(0.6 1)(1.1 0)(0.2 2)(0.3 1)(1.2 2)(0.1 3)(0.2 1)(0.3 2)(1.4 3)
    (0.5 2)(0.6 1)(1.1 0)(0.2 2)(0.3 1)(1.2 2));

#[test]
fn very_many_loops() {
    for n in [1, 3] {
        laws!(again_and_again(&mut [x] = vec![0.3, 0.7, 0.2], &[w] = vec![0.2, 0.1, 0.4, 0.3], #n = n));
    }
}

#[test]
fn constants_of_a_module_are_gone_through() {
    laws!(scalar beside_constants(&[x] = vec![0.75, -0.5, 1.25]));
    laws!(scalar through_constants(x = 0.75));
    laws!(changed_beside_constants(&mut [x] = vec![0.75, -0.5, 1.25]));
}
