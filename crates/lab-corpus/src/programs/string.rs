//! A string that swings between two fixed ends: the wave equation in one dimension.
//!
//! Velocities change by positions only, and positions by velocities only, so that time runs backwards with no state kept. The adjoint
//! of a step adds to the neighbours of each point.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// Takes a string, displaced by `u` and moving with `v`, through some steps. How fast waves are at each point is given by `courant`, the
/// square of the part of the distance to the next point that they go in one step. The string has two points at least, and its ends stay.
///
/// ```
/// use lab_corpus::programs::string::string;
///
/// let (mut u, mut v) = ([0.0, 1.0, 0.0, 0.0], [0.0; 4]);
/// string(&mut u, &mut v, &[0.25; 4], 1);
/// assert_eq!(u, [0.0, 0.5, 0.25, 0.0]);
/// string::uncall(&mut u, &mut v, &[0.25; 4], 1);
/// assert_eq!(u, [0.0, 1.0, 0.0, 0.0]);
/// ```
#[reversible]
pub fn string<T: Real>(u: &mut [T], v: &mut [T], courant: &[T], steps: usize) {
    for _ in 0..steps {
        for i in 1..u.len() - 1 {
            v[i] += courant[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        }
        for i in 1..u.len() - 1 {
            u[i] += v[i];
        }
    }
}

/// The sum of squares of all displacements, some steps after the string was let go at `start`.
///
/// ```
/// use lab_corpus::programs::string::swing;
///
/// let (after, by_courant, _) = swing::gradient(&[0.25; 4], &[0.0, 1.0, 0.0, 0.0], 1);
/// assert_eq!(after, 0.3125);
/// assert_eq!(by_courant, [0.0, -2.0, 0.5, 0.0]);
/// ```
#[reversible]
pub fn swing<T: Real>(courant: &[T], start: &[T], steps: usize) -> T {
    let mut u = vec![T::zero(); start.len()];
    let mut v = vec![T::zero(); start.len()];
    for i in 0..start.len() {
        u[i] += start[i];
    }
    string(&mut u, &mut v, courant, steps);
    let mut squares = T::zero();
    for i in 0..start.len() {
        squares += u[i] * u[i];
    }
    squares
}

pub(super) const ENTRY: Entry = Entry {
    name: "string",
    about: "takes a string between two fixed ends through time; its adjoint adds to the neighbours of each point",
    source: string::source,
    demo: || {
        let (courant, steps) = ([0.25; 5], 100);
        Demo::new(
            ([0.0, 1.0, 0.5, 0.0, 0.0], [0.0; 5]),
            |(u, v): &mut ([f64; 5], [f64; 5])| string(u, v, &courant, steps),
            |(u, v)| string::uncall(u, v, &courant, steps),
            |(u, v)| format!("u = {:?}, v = {:?}", rounded(u), rounded(v)),
        )
    },
};
