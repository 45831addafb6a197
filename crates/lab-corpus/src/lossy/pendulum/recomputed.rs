//! The same pendulum with few states in memory at a time: those between segments, and those of one segment, which are computed again
//! when it is their turn.

use retrograd::prelude::*;

use super::{DT, ahead, slope};
use crate::lossy::{Input, array, array_mut};

/// The state after so many steps. Those on the way are kept while it runs.
#[reversible]
fn segment<T: Real>(p: &[T; 4], start: &[T; 4], #[constant] dt: T, steps: usize) -> [T; 4] {
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
    s[steps]
}

/// The angle of the outer pendulum after so many segments of so many steps each.
///
/// ```
/// use lab_corpus::lossy::pendulum::{pendulum, pendulum_in_segments};
///
/// let (p, start) = ([1.0, 2.0, 0.5, 1.0], [0.5, 0.2, 0.0, 0.1]);
/// assert_eq!(pendulum_in_segments(&p, &start, 0.01, 3, 4), pendulum(&p, &start, 0.01, 12));
/// ```
#[reversible]
pub fn pendulum_in_segments<T: Real>(
    p: &[T; 4],
    start: &[T; 4],
    #[constant] dt: T,
    segments: usize,
    steps: usize,
) -> T {
    let mut s = vec![[T::zero(); 4]; segments + 1];
    for i in 0..4 {
        s[0][i] += start[i];
    }
    for n in 0..segments {
        let end = segment(p, &s[n], dt, steps);
        for i in 0..4 {
            s[n + 1][i] += end[i];
        }
    }
    s[segments][1]
}

/// The angle and its gradient, which is added to `g`, as other forms have them. The number of steps is a multiple of that of the
/// segments.
pub fn recomputed(input: &Input, segments: usize, g: &mut [f64]) -> f64 {
    let Input { x, steps, .. } = input;
    let ((p, start), (g_p, g_start)) = (array(x), array_mut(g));
    let start = (array(start).0, array_mut(g_start).0);
    pendulum_in_segments::pullback((p, g_p), start, DT, segments, steps / segments, 1.0)
}
