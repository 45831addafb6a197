//! The Brusselator in plain Rust, and its gradient by hand.

use super::{CELLS, SIDE, STATE, around};
use crate::lossy::{Tape, array, array_mut};

type State = [f64; STATE];

/// What flows into a cell from those around it.
#[inline(always)]
fn spread(s: &[f64; CELLS], at: usize, [a, b, c, d]: [usize; 4]) -> f64 {
    s[a] + s[b] + s[c] + s[d] - 4.0 * s[at]
}

/// The concentrations of each substance.
#[inline(always)]
fn substances(s: &State) -> (&[f64; CELLS], &[f64; CELLS]) {
    let (u, v) = array(s);
    (u, array(v).0)
}

/// The same, to be changed.
#[inline(always)]
fn substances_mut(s: &mut State) -> (&mut [f64; CELLS], &mut [f64; CELLS]) {
    let (u, v) = array_mut(s);
    (u, array_mut(v).0)
}

/// All cells, with those around them.
#[inline(always)]
fn cells() -> impl Iterator<Item = (usize, [usize; 4])> {
    (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (SIDE * row + column, around(row, column))))
}

#[inline(always)]
fn slope([a, b, alpha]: &[f64; 3], s: &State, k: &mut State) {
    let ((u, v), (k_u, k_v)) = (substances(s), substances_mut(k));
    for (at, next) in cells() {
        let reaction = u[at] * u[at] * v[at];
        k_u[at] = b + reaction - (a + 1.0) * u[at] + alpha * spread(u, at, next);
        k_v[at] = a * u[at] - reaction + alpha * spread(v, at, next);
    }
}

/// `point` is at `h` times the slope `k` from `s`.
#[inline(always)]
fn ahead(point: &mut State, s: &State, h: f64, k: &State) {
    for i in 0..STATE {
        point[i] = s[i] + h * k[i];
    }
}

/// One step. `each` sees the four points at which slopes are taken; the other states are scratch.
#[inline(always)]
fn step(p: &[f64; 3], s: &mut State, [sum, k, point]: &mut [State; 3], dt: f64, mut each: impl FnMut(&State)) {
    each(s);
    slope(p, s, k);
    *sum = *k;
    for (h, weight) in [(0.5 * dt, 2.0), (0.5 * dt, 2.0), (dt, 1.0)] {
        ahead(point, s, h, k);
        each(point);
        slope(p, point, k);
        for i in 0..STATE {
            sum[i] += weight * k[i];
        }
    }
    for i in 0..STATE {
        s[i] += dt / 6.0 * sum[i];
    }
}

fn mean(s: &State) -> f64 {
    s[..CELLS].iter().sum::<f64>() / CELLS as f64
}

pub(super) fn plain(p: &[f64; 3], start: &State, dt: f64, steps: usize) -> f64 {
    let (mut s, mut scratch) = (*start, [[0.0; STATE]; 3]);
    for _ in 0..steps {
        step(p, &mut s, &mut scratch, dt, |_| ());
    }
    mean(&s)
}

/// The adjoint `g_s` of the state from that of its slope; that of `p` is added to `g_p`.
///
/// What spreads from one cell to another spreads as much the other way, so the adjoint spreads like the substances.
#[inline(always)]
fn pullback([a, _, alpha]: &[f64; 3], s: &State, g_k: &State, g_s: &mut State, g_p: &mut [f64; 3]) {
    let ((u, v), (g_k_u, g_k_v), (g_u, g_v)) = (substances(s), substances(g_k), substances_mut(g_s));
    for (at, next) in cells() {
        let (u, v, one, other) = (u[at], v[at], g_k_u[at], g_k_v[at]);
        let (spread_one, spread_other) = (spread(g_k_u, at, next), spread(g_k_v, at, next));
        let g_reaction = one - other;
        g_u[at] = 2.0 * g_reaction * u * v - g_reaction * a - one + alpha * spread_one;
        g_v[at] = g_reaction * u * u + alpha * spread_other;
        g_p[0] -= g_reaction * u;
        g_p[1] += one;
        g_p[2] += u * spread_one + v * spread_other;
    }
}

pub(super) fn gradient(
    tape: &mut Tape,
    (p, g_p): (&[f64; 3], &mut [f64; 3]),
    (start, g_start): (&State, &mut State),
    dt: f64,
    steps: usize,
) -> f64 {
    let (mut s, mut scratch) = (*start, [[0.0; STATE]; 3]);
    for _ in 0..steps {
        step(p, &mut s, &mut scratch, dt, |point| tape.push_all(point));
    }
    tape.turn();
    let mut g = [0.0; STATE];
    g[..CELLS].fill(1.0 / CELLS as f64);
    let (mut sums, [point, g_k, g_point]) = ([0.0; 3], &mut scratch);
    for _ in 0..steps {
        let before = g;
        g_point.fill(0.0);
        // The weight of each slope in the step, and how far from the start of the step the next point is along it.
        for (weight, h) in [(dt / 6.0, 0.0), (dt / 3.0, dt), (dt / 3.0, 0.5 * dt), (dt / 6.0, 0.5 * dt)] {
            for i in 0..STATE {
                g_k[i] = weight * before[i] + h * g_point[i];
            }
            tape.pop_all(point);
            pullback(p, point, g_k, g_point, &mut sums);
            for i in 0..STATE {
                g[i] += g_point[i];
            }
        }
    }
    g_p.iter_mut().chain(g_start).zip(sums.iter().chain(&g)).for_each(|(g, sum)| *g += sum);
    mean(&s)
}
