//! The same with a point that is written again for each slope.

use retrograd::Dual;
use retrograd::prelude::*;

use super::{DT, LOSSY, slope};
use crate::lossy::{Input, Lossy, array, array_mut};

/// The first coordinate after so many steps of length `dt`.
///
/// ```
/// use lab_corpus::lossy::lorenz::lorenz_natural;
///
/// assert_eq!(lorenz_natural(&[10.0, 28.0, 8.0 / 3.0], &[0.0; 3], 0.01, 10), 0.0);
/// ```
#[reversible(record)]
pub fn lorenz_natural<T: Real>(p: &[T; 3], start: &[T; 3], #[constant] dt: T, steps: usize) -> T {
    let mut s = *start;
    for _ in 0..steps {
        let k1 = slope(p, &s);
        let mut point = s;
        for i in 0..3 {
            point[i] = s[i] + 0.5 * dt * k1[i];
        }
        let k2 = slope(p, &point);
        for i in 0..3 {
            point[i] = s[i] + 0.5 * dt * k2[i];
        }
        let k3 = slope(p, &point);
        for i in 0..3 {
            point[i] = s[i] + dt * k3[i];
        }
        let k4 = slope(p, &point);
        for i in 0..3 {
            s[i] += dt / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    s[0]
}

pub(in crate::lossy) const NATURAL: Lossy = Lossy {
    name: "Lorenz, Runge–Kutta, natural",
    recorded: |record, Input { x, steps, .. }, g| {
        let (p, start) = array(x);
        let (g_p, g_start) = array_mut(g);
        lorenz_natural::pullback_in(record, (p, g_p), (array(start).0, array_mut(g_start).0), DT, *steps, 1.0)
    },
    dual: |Input { steps, .. }, x| {
        let (p, start) = array(x);
        lorenz_natural(p, array(start).0, Dual::constant(DT), *steps)
    },
    ..LOSSY
};
