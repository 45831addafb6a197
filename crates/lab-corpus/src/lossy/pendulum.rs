//! A pendulum that hangs from another one, by the classical method of Runge and Kutta.

mod recomputed;

pub use recomputed::{pendulum_in_segments, recomputed};

use retrograd::Dual;
use retrograd::prelude::*;

use super::{Input, Lossy, Tape, array, array_mut, runge_kutta};

/// The acceleration of falling bodies.
const G: f64 = 9.81;

/// How fast two angles and their speeds change, for two masses and two lengths.
#[reversible]
fn slope<T: Real>(p: &[T; 4], s: &[T; 4]) -> [T; 4] {
    let (m1, m2, l1, l2) = (p[0], p[1], p[2], p[3]);
    let (w1, w2) = (s[2], s[3]);
    let (sin, cos) = ((s[0] - s[1]).sin(), (s[0] - s[1]).cos());
    let (sin1, sin2) = (s[0].sin(), s[1].sin());
    let heaviness = m1 + m2 * sin * sin;
    let pull1 = l1 * w1 * w1;
    let pull2 = l2 * w2 * w2;
    let force1 = m2 * (T::lit(G) * sin2 * cos - sin * (pull1 * cos + pull2)) - (m1 + m2) * T::lit(G) * sin1;
    let force2 = (m1 + m2) * (pull1 * sin - T::lit(G) * sin2 + T::lit(G) * sin1 * cos) + m2 * pull2 * sin * cos;
    [w1, w2, force1 / (l1 * heaviness), force2 / (l2 * heaviness)]
}

/// The angle of the outer pendulum after so many steps of length `dt`. `p` are the masses and lengths, `start` the angles and
/// their speeds.
///
/// ```
/// use lab_corpus::lossy::pendulum::pendulum;
///
/// // It hangs, and does not move.
/// assert_eq!(pendulum(&[1.0, 2.0, 0.5, 1.0], &[0.0; 4], 0.01, 10), 0.0);
/// ```
#[reversible(record)]
pub fn pendulum<T: Real>(p: &[T; 4], start: &[T; 4], #[constant] dt: T, steps: usize) -> T {
    let mut s = *start;
    for _ in 0..steps {
        let k1 = slope(p, &s);
        let mut point = s;
        for i in 0..4 {
            point[i] = s[i] + 0.5 * dt * k1[i];
        }
        let k2 = slope(p, &point);
        for i in 0..4 {
            point[i] = s[i] + 0.5 * dt * k2[i];
        }
        let k3 = slope(p, &point);
        for i in 0..4 {
            point[i] = s[i] + dt * k3[i];
        }
        let k4 = slope(p, &point);
        for i in 0..4 {
            s[i] += dt / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    s[1]
}

/// The point at `h` times the slope `k` from `s`.
#[reversible]
fn ahead<T: Real>(s: &[T; 4], #[constant] h: T, k: &[T; 4]) -> [T; 4] {
    [s[0] + h * k[0], s[1] + h * k[1], s[2] + h * k[2], s[3] + h * k[3]]
}

/// The same with all states kept in an array.
///
/// ```
/// use lab_corpus::lossy::pendulum::pendulum_reversible;
///
/// assert_eq!(pendulum_reversible(&[1.0, 2.0, 0.5, 1.0], &[0.0; 4], 0.01, 10), 0.0);
/// ```
#[reversible]
pub fn pendulum_reversible<T: Real>(p: &[T; 4], start: &[T; 4], #[constant] dt: T, steps: usize) -> T {
    let mut s = vec![[T::zero(); 4]; steps + 1];
    for i in 0..4 {
        s[0][i] += start[i];
    }
    for t in 0..steps {
        let k1 = slope(p, &s[t]);
        let k2 = slope(p, &ahead(&s[t], 0.5 * dt, &k1));
        let k3 = slope(p, &ahead(&s[t], 0.5 * dt, &k2));
        let k4 = slope(p, &ahead(&s[t], dt, &k3));
        for i in 0..4 {
            s[t + 1][i] += s[t][i] + dt / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    s[steps][1]
}

/// The length of a step.
const DT: f64 = 0.01;

#[inline(always)]
fn slope_plain([m1, m2, l1, l2]: &[f64; 4], [t1, t2, w1, w2]: &[f64; 4]) -> [f64; 4] {
    let (sin, cos) = ((t1 - t2).sin(), (t1 - t2).cos());
    let (sin1, sin2) = (t1.sin(), t2.sin());
    let heaviness = m1 + m2 * sin * sin;
    let (pull1, pull2) = (l1 * w1 * w1, l2 * w2 * w2);
    let force1 = m2 * (G * sin2 * cos - sin * (pull1 * cos + pull2)) - (m1 + m2) * G * sin1;
    let force2 = (m1 + m2) * (pull1 * sin - G * sin2 + G * sin1 * cos) + m2 * pull2 * sin * cos;
    [*w1, *w2, force1 / (l1 * heaviness), force2 / (l2 * heaviness)]
}

/// The adjoint of the state `s` from that of its slope; that of `p` is added to `g_p`.
#[inline(always)]
fn slope_pullback(
    [m1, m2, l1, l2]: &[f64; 4],
    [t1, t2, w1, w2]: &[f64; 4],
    [g_v1, g_v2, g_a1, g_a2]: &[f64; 4],
    g_p: &mut [f64; 4],
) -> [f64; 4] {
    let (sin, cos) = (t1 - t2).sin_cos();
    let ((sin1, cos1), (sin2, cos2)) = (t1.sin_cos(), t2.sin_cos());
    let (mass, heaviness) = (m1 + m2, m1 + m2 * sin * sin);
    let (pull1, pull2) = (l1 * w1 * w1, l2 * w2 * w2);
    let (inner, outer) = (pull1 * cos + pull2, pull1 * sin - G * sin2 + G * sin1 * cos);
    let force1 = m2 * (G * sin2 * cos - sin * inner) - mass * G * sin1;
    let force2 = mass * outer + m2 * pull2 * sin * cos;
    let (g1, g2) = (g_a1 / (l1 * heaviness), g_a2 / (l2 * heaviness));
    let g_heaviness = -(g1 * force1 + g2 * force2) / heaviness;
    let (g_inner, g_outer) = (-g1 * m2 * sin, g2 * mass);
    let g_pull1 = g_inner * cos + g_outer * sin;
    let g_pull2 = g_inner + g2 * m2 * sin * cos;
    let g_mass = g2 * outer - g1 * G * sin1;
    let g_sin = 2.0 * g_heaviness * m2 * sin - g1 * m2 * inner + g2 * m2 * pull2 * cos + g_outer * pull1;
    let g_cos = g1 * m2 * G * sin2 + g_inner * pull1 + g_outer * G * sin1 + g2 * m2 * pull2 * sin;
    let g_sin1 = g_outer * G * cos - g1 * mass * G;
    let g_sin2 = g1 * m2 * G * cos - g_outer * G;
    let g_between = g_sin * cos - g_cos * sin;
    g_p[0] += g_heaviness + g_mass;
    g_p[1] += g_heaviness * sin * sin + g1 * (G * sin2 * cos - sin * inner) + g2 * pull2 * sin * cos + g_mass;
    g_p[2] += g_pull1 * w1 * w1 - g1 * force1 / l1;
    g_p[3] += g_pull2 * w2 * w2 - g2 * force2 / l2;
    [
        g_between + g_sin1 * cos1,
        g_sin2 * cos2 - g_between,
        g_v1 + 2.0 * g_pull1 * l1 * w1,
        g_v2 + 2.0 * g_pull2 * l2 * w2,
    ]
}

fn by_hand(tape: &mut Tape, p: &[f64; 4], start: &[f64; 4], steps: usize, g_p: &mut [f64; 4], g: &mut [f64]) -> f64 {
    let mut sums = [0.0; 4];
    let pullback = |s: &[f64; 4], g: &[f64; 4]| slope_pullback(p, s, g, &mut sums);
    let seed = [0.0, 1.0, 0.0, 0.0];
    let (s, g_s) = runge_kutta::by_hand(tape, |s| slope_plain(p, s), pullback, start, DT, steps, seed);
    g_p.iter_mut().chain(g).zip(sums.iter().chain(&g_s)).for_each(|(g, sum)| *g += sum);
    s[1]
}

/// All of its forms.
pub const LOSSY: Lossy = Lossy {
    name: "double pendulum, Runge–Kutta",
    input: |steps| Input { x: vec![1.0, 1.5, 0.7, 1.1, 1.0, 0.5, 0.1, -0.2], data: Vec::new(), steps },
    steps: 1000,
    plain: |Input { x, steps, .. }| {
        let (p, start) = array(x);
        runge_kutta::plain(|s| slope_plain(p, s), array(start).0, DT, *steps)[1]
    },
    by_hand: |tape, Input { x, steps, .. }, g| {
        let (p, start) = array(x);
        let (g_p, g_start) = array_mut(g);
        by_hand(tape, p, array(start).0, *steps, g_p, g_start)
    },
    recorded: |record, Input { x, steps, .. }, g| {
        let (p, start) = array(x);
        let (g_p, g_start) = array_mut(g);
        pendulum::pullback_in(record, (p, g_p), (array(start).0, array_mut(g_start).0), DT, *steps, 1.0)
    },
    reversible: |Input { x, steps, .. }, g| {
        let (p, start) = array(x);
        let (g_p, g_start) = array_mut(g);
        pendulum_reversible::pullback((p, g_p), (array(start).0, array_mut(g_start).0), DT, *steps, 1.0)
    },
    dual: |Input { steps, .. }, x| {
        let (p, start) = array(x);
        pendulum(p, array(start).0, Dual::constant(DT), *steps)
    },
};
