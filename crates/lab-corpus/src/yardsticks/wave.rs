//! Waves in a plane, on one grid that has the absorbing layer in it.

use super::Number;
use crate::programs::wave::Shot;

/// What all receivers hear of a wave of these speeds, step by step.
pub fn heard<N: Number>(shot: &Shot, speed: &[N]) -> Vec<N> {
    let Shot { size, ratio, steps, .. } = *shot;
    // The whole grid has a ring of zeros around it.
    let (depth, whole) = (shot.depth, size + 2 * shot.depth + 2);
    let (model, zero) = (depth + 1..depth + 1 + size, N::constant(0.0));
    let mut courant = vec![N::constant(ratio * ratio); whole * whole];
    for i in 0..size * size {
        courant[(i / size + depth + 1) * whole + i % size + depth + 1] = speed[i] * speed[i] * (ratio * ratio);
    }
    // The friction in a step, at a place that is counted in half cells from the beginning of the layer.
    let friction = (0..2 * whole).map(|at| {
        let at = at as f64 / 2.0;
        let far = (depth as f64 - at).max(at - (depth + size) as f64).max(0.0) / depth as f64;
        3.0 * 100_f64.ln() * ratio * far * far / depth as f64
    });
    let friction: Vec<f64> = friction.collect();
    let place = |p: usize| {
        let (row, column) = (p / (size + 2) + depth, p % (size + 2) + depth);
        row * whole + column
    };
    let [mut before, mut now, mut next] = [0; 3].map(|_| vec![zero; whole * whole]);
    let [mut phi, mut psi] = [0; 2].map(|_| vec![zero; whole * whole]);
    let mut heard = Vec::with_capacity(steps * shot.receivers.len());
    for t in 0..steps {
        for row in 1..whole - 1 {
            for column in 1..whole - 1 {
                let p = row * whole + column;
                let (a, b) = (friction[2 * column - 1], friction[2 * row - 1]);
                let around = now[p - 1] + now[p + 1] + now[p - whole] + now[p + whole];
                let flow = phi[p] - phi[p - 1] + psi[p] - psi[p - whole];
                let force = courant[p] * (around - now[p] * 4.0) + flow - now[p] * (a * b);
                let damped = now[p] * 2.0 - before[p] * (1.0 - 0.5 * (a + b)) + force;
                next[p] = damped * (1.0 / (1.0 + 0.5 * (a + b)));
            }
        }
        for (source, &p) in shot.sources.iter().enumerate() {
            next[place(p)] = next[place(p)] + N::constant(shot.signal(t, source));
        }
        for row in 1..whole - 1 {
            for column in 1..whole - 1 {
                if model.contains(&row) && model.contains(&column) {
                    continue;
                }
                let p = row * whole + column;
                let [a, b] = [column, row].map(|at| (friction[2 * at - 1], friction[2 * at]));
                let advance = |old: N, along: f64, across: f64, slope: N| {
                    (old * (1.0 - 0.5 * along) + courant[p] * slope * (across - along)) * (1.0 / (1.0 + 0.5 * along))
                };
                phi[p] = advance(phi[p], a.1, b.0, next[p + 1] - next[p]);
                psi[p] = advance(psi[p], b.1, a.0, next[p + whole] - next[p]);
            }
        }
        (before, now, next) = (now, next, before);
        heard.extend(shot.receivers.iter().map(|&p| now[place(p)]));
    }
    heard
}

/// The misfit of what is heard, as [`reversed`](crate::programs::wave::reversed()) has it.
pub fn misfit<N: Number>(shot: &Shot, speed: &[N]) -> N {
    let errors = heard(shot, speed).into_iter().zip(&shot.echoes).map(|(u, &echo)| u - N::constant(echo));
    errors.fold(N::constant(0.0), |sum, error| sum + error * error * 0.5)
}
