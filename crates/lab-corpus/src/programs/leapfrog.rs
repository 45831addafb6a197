//! A chain of masses and springs through time, and back.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// Changes the velocities `v` by the forces that springs between neighbours exert for the time `dt`.
///
/// ```
/// use lab_corpus::programs::leapfrog::kick;
///
/// let mut v = [0.0, 0.0];
/// kick(&mut v, &[1.0, 3.0], 0.5);
/// assert_eq!(v, [1.0, -1.0]);
/// ```
#[reversible]
pub fn kick<T: Real>(v: &mut [T], x: &[T], dt: T) {
    for i in 1..x.len() {
        let pull = dt * (x[i] - x[i - 1]);
        v[i - 1] += pull;
        v[i] -= pull;
    }
}

/// Moves the masses with the velocities `v` for the time `dt`.
///
/// ```
/// use lab_corpus::programs::leapfrog::drift;
///
/// let mut x = [1.0, 3.0];
/// drift(&mut x, &[1.0, -1.0], 0.5);
/// assert_eq!(x, [1.5, 2.5]);
/// ```
#[reversible]
pub fn drift<T: Real>(x: &mut [T], v: &[T], dt: T) {
    for i in 0..x.len() {
        x[i] += dt * v[i];
    }
}

/// Takes a chain of unit masses, displaced by `x` and moving with `v`, through `steps` time steps `dt`.
///
/// Kick, drift, kick: positions change by velocities only, and velocities by positions only. So each change can be
/// subtracted again, and time runs backwards with no state kept.
///
/// ```
/// use lab_corpus::programs::leapfrog::leapfrog;
///
/// let (mut x, mut v) = ([1.0, 0.0, 0.0], [0.0, 0.0, 0.0]);
/// leapfrog(&mut x, &mut v, 0.1, 1000);
/// assert!((x.iter().sum::<f64>() - 1.0).abs() < 1e-12); // no force from outside
/// leapfrog::uncall(&mut x, &mut v, 0.1, 1000);
/// assert!((x[0] - 1.0).abs() < 1e-12 && x[1].abs() < 1e-12 && v[0].abs() < 1e-12);
/// ```
#[reversible]
pub fn leapfrog<T: Real>(x: &mut [T], v: &mut [T], dt: T, steps: usize) {
    for _ in 0..steps {
        kick(v, &*x, 0.5 * dt);
        drift(x, &*v, dt);
        kick(v, &*x, 0.5 * dt);
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "leapfrog",
    about: "takes a chain of springs through time by kicks and drifts, and back without any record",
    source: leapfrog::source,
    demo: || {
        let (dt, steps) = (0.1, 1000);
        Demo::new(
            ([1.0, 0.0, 0.0], [0.0, 0.5, 0.0]),
            |(x, v): &mut ([f64; 3], [f64; 3])| leapfrog(x, v, dt, steps),
            |(x, v)| leapfrog::uncall(x, v, dt, steps),
            |(x, v)| format!("x = {:?}, v = {:?}", rounded(x), rounded(v)),
        )
    },
};
