//! Bodies that attract each other, and the adjoint of their way through time by hand.

use super::Number;
use crate::programs::solar_system::G;

/// Changes the velocities by attraction.
#[inline]
fn attract<N: Number, const B: usize>(v: &mut [[N; 3]; B], x: &[[N; 3]; B], m: &[N; B], dt: f64) {
    for i in 0..B {
        for j in i + 1..B {
            let d = [x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]];
            let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            let pull = N::constant(dt * G) / (square * square.sqrt());
            let (of_i, of_j) = (pull * m[i], pull * m[j]);
            for c in 0..3 {
                v[i][c] = v[i][c] + of_j * d[c];
                v[j][c] = v[j][c] - of_i * d[c];
            }
        }
    }
}

/// Moves the bodies.
#[inline]
fn drift<N: Number, const B: usize>(x: &mut [[N; 3]; B], v: &[[N; 3]; B], dt: f64) {
    for (x, v) in x.as_flattened_mut().iter_mut().zip(v.as_flattened()) {
        *x = *x + *v * dt;
    }
}

/// Takes bodies through time, as [`solar_system`](crate::programs::solar_system::solar_system()) does.
pub fn solar_system<N: Number, const B: usize>(
    x: &mut [[N; 3]; B],
    v: &mut [[N; 3]; B],
    m: &[N; B],
    dt: f64,
    steps: usize,
) {
    for _ in 0..steps {
        drift(x, v, 0.5 * dt);
        attract(v, x, m, dt);
        drift(x, v, 0.5 * dt);
    }
}

/// Takes back what `attract` did to the velocities, and the adjoints of velocities to positions and masses.
#[inline]
fn pull_attract<const B: usize>(
    v: &mut [[f64; 3]; B],
    g_v: &[[f64; 3]; B],
    x: &[[f64; 3]; B],
    g_x: &mut [[f64; 3]; B],
    m: &[f64; B],
    g_m: &mut [f64; B],
    dt: f64,
) {
    for i in 0..B {
        for j in i + 1..B {
            let d = [x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]];
            let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            let pull = dt * G / (square * square.sqrt());
            let (of_i, of_j) = (pull * m[i], pull * m[j]);
            let (mut along_i, mut along_j) = (0.0, 0.0);
            for c in 0..3 {
                v[i][c] -= of_j * d[c];
                v[j][c] += of_i * d[c];
                along_i += g_v[i][c] * d[c];
                along_j += g_v[j][c] * d[c];
            }
            g_m[j] += pull * along_i;
            g_m[i] -= pull * along_j;
            // The pull goes with the distance to the power −3.
            let g_square = -1.5 * (of_j * along_i - of_i * along_j) / square;
            for c in 0..3 {
                let g_d = of_j * g_v[i][c] - of_i * g_v[j][c] + 2.0 * g_square * d[c];
                g_x[j][c] += g_d;
                g_x[i][c] -= g_d;
            }
        }
    }
}

/// Takes back what `drift` did to the positions, and the adjoints of positions to velocities.
#[inline]
fn pull_drift<const B: usize>(
    x: &mut [[f64; 3]; B],
    g_x: &[[f64; 3]; B],
    v: &[[f64; 3]; B],
    g_v: &mut [[f64; 3]; B],
    dt: f64,
) {
    for i in 0..B {
        for c in 0..3 {
            x[i][c] -= dt * v[i][c];
            g_v[i][c] += dt * g_x[i][c];
        }
    }
}

/// Takes bodies and adjoints back through time. The adjoints of the masses are added to `g_m`.
pub fn pullback<const B: usize>(
    (x, g_x): (&mut [[f64; 3]; B], &mut [[f64; 3]; B]),
    (v, g_v): (&mut [[f64; 3]; B], &mut [[f64; 3]; B]),
    (m, g_m): (&[f64; B], &mut [f64; B]),
    dt: f64,
    steps: usize,
) {
    for _ in 0..steps {
        pull_drift(x, g_x, v, g_v, 0.5 * dt);
        pull_attract(v, g_v, x, g_x, m, g_m, dt);
        pull_drift(x, g_x, v, g_v, 0.5 * dt);
    }
}
