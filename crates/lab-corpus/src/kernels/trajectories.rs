//! Trajectories by the leapfrog method: one run for each of them, from its start to its end.

use retrograd::prelude::*;

/// Follows a star in the potential of Hénon and Heiles, (x² + y²) / 2 + x²y − y³ / 3. It only adds products, so that
/// fixed-point numbers come back bit for bit.
#[reversible(kernel)]
pub fn henon_heiles<T: Real>(#[index] i: usize, q: &mut [[T; 2]], p: &mut [[T; 2]], #[constant] dt: T, steps: usize) {
    for _ in 0..steps {
        q[i][0] += dt * p[i][0];
        q[i][1] += dt * p[i][1];
        p[i][0] -= dt * (q[i][0] + 2.0 * q[i][0] * q[i][1]);
        p[i][1] -= dt * (q[i][1] + (q[i][0] * q[i][0] - q[i][1] * q[i][1]));
    }
}

/// Follows a planet around a sun of mass one.
#[reversible(kernel)]
pub fn kepler<T: Real>(#[index] i: usize, q: &mut [[T; 2]], p: &mut [[T; 2]], #[constant] dt: T, steps: usize) {
    for _ in 0..steps {
        q[i][0] += dt * p[i][0];
        q[i][1] += dt * p[i][1];
        let square = q[i][0] * q[i][0] + q[i][1] * q[i][1];
        let pull = dt / (square * square.sqrt());
        p[i][0] -= pull * q[i][0];
        p[i][1] -= pull * q[i][1];
    }
}
