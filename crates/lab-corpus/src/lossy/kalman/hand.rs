//! The filter in plain Rust, and its gradient by hand.

use super::{Adjoint, Given, Parameters};
use crate::lossy::Tape;

/// `a`·`b`
#[inline(always)]
fn product<const N: usize, const M: usize, const K: usize>(a: &[[f64; M]; N], b: &[[f64; K]; M]) -> [[f64; K]; N] {
    let mut c = [[0.0; K]; N];
    for i in 0..N {
        for j in 0..M {
            for k in 0..K {
                c[i][k] += a[i][j] * b[j][k];
            }
        }
    }
    c
}

#[inline(always)]
fn transposed<const N: usize, const M: usize>(a: &[[f64; M]; N]) -> [[f64; N]; M] {
    std::array::from_fn(|j| std::array::from_fn(|i| a[i][j]))
}

/// Adds `b` times `factor` to `a`.
#[inline(always)]
fn add<const N: usize, const M: usize>(a: &mut [[f64; M]; N], factor: f64, b: &[[f64; M]; N]) {
    a.as_flattened_mut().iter_mut().zip(b.as_flattened()).for_each(|(a, b)| *a += factor * b);
}

#[inline(always)]
fn times<const N: usize, const M: usize>(a: &[[f64; M]; N], x: &[f64; M]) -> [f64; N] {
    std::array::from_fn(|i| (0..M).map(|j| a[i][j] * x[j]).sum())
}

#[inline(always)]
fn outer<const N: usize, const M: usize>(x: &[f64; N], y: &[f64; M]) -> [[f64; M]; N] {
    x.map(|x| y.map(|y| x * y))
}

/// What is computed on the way to a new state, from the last one and its covariance.
struct Step {
    /// The expected state, and its covariance in two steps.
    x: [f64; 4],
    half: [[f64; 4]; 4],
    p: [[f64; 4]; 4],
    ph: [[f64; 2]; 4],
    inverse: [[f64; 2]; 2],
    det: f64,
}

impl Step {
    #[inline(always)]
    fn new(Parameters { f, h, q, r }: &Given<f64>, x: &[f64; 4], p: &[[f64; 4]; 4]) -> Step {
        let half = product(f, p);
        let mut p = product(&half, &transposed(f));
        (0..4).for_each(|i| p[i][i] += q[i]);
        let ph = product(&p, &transposed(h));
        let mut s = product(h, &ph);
        (0..2).for_each(|i| s[i][i] += r[i]);
        let det = s[0][0] * s[1][1] - s[0][1] * s[1][0];
        let inverse = [[s[1][1] / det, -s[0][1] / det], [-s[1][0] / det, s[0][0] / det]];
        Step { x: times(f, x), half, p, ph, inverse, det }
    }

    /// Adds to the loss, and goes on to the new state.
    #[inline(always)]
    fn finish(&self, h: &[[f64; 4]; 2], measured: &[f64; 2], x: &mut [f64; 4], p: &mut [[f64; 4]; 4]) -> f64 {
        let gain = product(&self.ph, &self.inverse);
        let expected = times(h, &self.x);
        let error = [measured[0] - expected[0], measured[1] - expected[1]];
        let weighted = times(&self.inverse, &error);
        *x = self.x;
        times(&gain, &error).iter().zip(&mut *x).for_each(|(change, x)| *x += change);
        *p = self.p;
        add(p, -1.0, &product(&gain, &transposed(&self.ph)));
        self.det.ln() + error[0] * weighted[0] + error[1] * weighted[1]
    }
}

/// The first state, and its covariance.
fn start() -> ([f64; 4], [[f64; 4]; 4]) {
    ([0.0; 4], std::array::from_fn(|i| std::array::from_fn(|j| f64::from(i == j))))
}

pub(super) fn plain(given: &Given<f64>, measured: &[[f64; 2]]) -> f64 {
    let (mut x, mut p) = start();
    let mut loss = 0.0;
    for measured in measured {
        loss += Step::new(given, &x, &p).finish(given.h, measured, &mut x, &mut p);
    }
    loss
}

pub(super) fn gradient(tape: &mut Tape, given: &Given<f64>, measured: &[[f64; 2]], g: Adjoint) -> f64 {
    let Parameters { f, h, .. } = *given;
    let (mut x, mut p) = start();
    let mut loss = 0.0;
    for measured in measured {
        let step = Step::new(given, &x, &p);
        tape.push(x);
        p.iter().chain(&step.half).chain(&step.p).for_each(|row| tape.push(*row));
        tape.push(step.x);
        step.ph.iter().chain(&step.inverse).for_each(|row| tape.push(*row));
        loss += step.finish(h, measured, &mut x, &mut p);
    }
    tape.turn();
    let (mut g_f, mut g_h, mut g_q, mut g_r) = ([[0.0; 4]; 4], [[0.0; 4]; 2], [0.0; 4], [0.0; 2]);
    let (mut g_x, mut g_p) = ([0.0; 4], [[0.0; 4]; 4]);
    for measured in measured.iter().rev() {
        let [i1, i0]: [[f64; 2]; 2] = std::array::from_fn(|_| tape.pop());
        let [ph3, ph2, ph1, ph0]: [[f64; 2]; 4] = std::array::from_fn(|_| tape.pop());
        let expected: [f64; 4] = tape.pop();
        let mut square = || {
            let [d, c, b, a]: [[f64; 4]; 4] = std::array::from_fn(|_| tape.pop());
            [a, b, c, d]
        };
        let (cov, half, p) = (square(), square(), square());
        let x: [f64; 4] = tape.pop();
        let (inverse, ph) = ([i0, i1], [ph0, ph1, ph2, ph3]);
        let gain = product(&ph, &inverse);
        let seen = times(h, &expected);
        let error = [measured[0] - seen[0], measured[1] - seen[1]];
        let (inverse_t, f_t, h_t) = (transposed(&inverse), transposed(f), transposed(h));

        let mut g_gain = outer(&g_x, &error);
        add(&mut g_gain, -1.0, &product(&g_p, &ph));
        let mut g_ph = product(&g_gain, &inverse_t);
        add(&mut g_ph, -1.0, &product(&transposed(&g_p), &gain));
        let mut g_error = times(&transposed(&gain), &g_x);
        let (one, other) = (times(&inverse, &error), times(&inverse_t, &error));
        (0..2).for_each(|i| g_error[i] += one[i] + other[i]);
        let mut g_inverse = outer(&error, &error);
        add(&mut g_inverse, 1.0, &product(&transposed(&ph), &g_gain));
        let mut g_s = inverse_t;
        add(&mut g_s, -1.0, &product(&product(&inverse_t, &g_inverse), &inverse_t));

        add(&mut g_h, -1.0, &outer(&g_error, &expected));
        let pulled = times(&h_t, &g_error);
        (0..4).for_each(|i| g_x[i] -= pulled[i]);
        (0..2).for_each(|i| g_r[i] += g_s[i][i]);
        add(&mut g_h, 1.0, &product(&g_s, &transposed(&ph)));
        add(&mut g_ph, 1.0, &product(&h_t, &g_s));
        add(&mut g_p, 1.0, &product(&g_ph, h));
        add(&mut g_h, 1.0, &product(&transposed(&g_ph), &cov));
        (0..4).for_each(|i| g_q[i] += g_p[i][i]);
        let g_half = product(&g_p, f);
        add(&mut g_f, 1.0, &product(&transposed(&g_p), &half));
        add(&mut g_f, 1.0, &product(&g_half, &transposed(&p)));
        g_p = product(&f_t, &g_half);
        add(&mut g_f, 1.0, &outer(&g_x, &x));
        g_x = times(&f_t, &g_x);
    }
    add(g.f, 1.0, &g_f);
    add(g.h, 1.0, &g_h);
    (0..4).for_each(|i| g.q[i] += g_q[i]);
    (0..2).for_each(|i| g.r[i] += g_r[i]);
    loss
}
