//! The same pendulum with few states in memory, which are computed again and again: Bennett's trade of time for space.

use retrograd::Slots;
use retrograd::prelude::*;

use super::{DT, ahead, slope};
use crate::lossy::{Input, array, array_mut};

/// Adds the state that follows `now` to `next`.
#[reversible]
fn advance<T: Real>(next: &mut [T; 4], now: &[T; 4], p: &[T; 4], #[constant] dt: T) {
    let k1 = slope(p, now);
    let k2 = slope(p, &ahead(now, 0.5 * dt, &k1));
    let k3 = slope(p, &ahead(now, 0.5 * dt, &k2));
    let k4 = slope(p, &ahead(now, dt, &k3));
    for i in 0..4 {
        next[i] += now[i] + dt / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
    }
}

/// Goes from the state under `start` to that under `start + steps`, as [`bennett`](crate::programs::bennett::bennett()) does: in
/// `parts` parts, each of which is cut likewise. `steps` is a power of `parts`.
#[reversible]
fn stretch<T: Real>(
    states: &mut Slots<usize, [T; 4]>,
    p: &[T; 4],
    #[constant] dt: T,
    parts: usize,
    start: usize,
    steps: usize,
) {
    if steps == 1 {
        states.allocate(start + 1);
        advance(&mut states[start + 1], &states[start], p, dt);
    } else {
        let part = steps / parts;
        for j in 0..parts {
            stretch(states, p, dt, parts, start + part * j, part);
        }
        for j in (0..parts - 1).rev() {
            stretch::uncall(states, p, dt, parts, start + part * j, part);
        }
    }
}

/// The angle and its gradient, which is added to `g`, as other forms have them. The number of steps is a power of `parts`.
pub fn recomputed(input: &Input, parts: usize, g: &mut [f64]) -> f64 {
    let Input { x, steps, .. } = input;
    let ((p, start), (g_p, g_start)) = (array(x), array_mut(g));
    let mut states = Slots::from_iter([(0, *array(start).0)]);
    stretch(&mut states, p, DT, parts, 0, *steps);
    let angle = states[*steps][1];
    let mut adjoints = Slots::from_iter([(0, *array(g_start).0), (*steps, [0.0, 1.0, 0.0, 0.0])]);
    stretch::pullback((&mut states, &mut adjoints), (p, g_p), DT, parts, 0, *steps);
    *array_mut(g_start).0 = adjoints[0];
    angle
}
