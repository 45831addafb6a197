//! A wave that steepens: Burgers' equation by the scheme of Lax and Wendroff.
//!
//! The scheme smooths waves as it goes, and what is smoothed away does not come back. So every state is kept, unlike in
//! [`leapfrog`](super::leapfrog), and a step adds the next state to memory that is still zero.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// What flows past a point in Burgers' equation, where the wave is as high as `u`: each part moves as fast as it is high.
#[reversible]
fn flux<T: Real>(u: T) -> T {
    0.5 * u * u
}

/// The wave between two neighbouring points, half a step later. `ratio` is that of the step in time to that in space.
#[reversible]
fn halfway<T: Real>(left: T, right: T, ratio: T) -> T {
    0.5 * (left + right) - 0.5 * ratio * (flux(right) - flux(left))
}

/// Adds the wave one step after `now` to `next`. The points stand in a circle.
///
/// ```
/// use lab_corpus::programs::lax_wendroff::step;
///
/// let mut next = [0.0; 4];
/// step(&mut next, &[1.0, 2.0, 3.0, 2.0], 0.5);
/// assert!((next.iter().sum::<f64>() - 8.0).abs() < 1e-15); // nothing is lost
/// step::uncall(&mut next, &[1.0, 2.0, 3.0, 2.0], 0.5);
/// assert_eq!(next, [0.0; 4]);
/// ```
#[reversible]
pub fn step<T: Real, const N: usize>(next: &mut [T; N], now: &[T; N], ratio: T) {
    for i in 0..N {
        let west = halfway(now[(i + N - 1) % N], now[i], ratio);
        let east = halfway(now[i], now[(i + 1) % N], ratio);
        next[i] += now[i] - ratio * (flux(east) - flux(west));
    }
}

/// Adds to each of the `states`, from the second one on, the wave one step after the one before it.
///
/// ```
/// use lab_corpus::programs::lax_wendroff::lax_wendroff;
///
/// let mut states = [[0.0; 4]; 3];
/// states[0] = [1.0, 2.0, 3.0, 2.0];
/// lax_wendroff(&mut states, 0.1);
/// assert!(states[2].iter().sum::<f64>() > 7.9);
/// lax_wendroff::uncall(&mut states, 0.1);
/// assert_eq!(states[1..], [[0.0; 4]; 2]);
/// ```
#[reversible]
pub fn lax_wendroff<T: Real, const N: usize>(states: &mut [[T; N]], ratio: T) {
    for t in 1..states.len() {
        step(&mut states[t], &states[t - 1], ratio);
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "lax_wendroff",
    about: "takes a wave through time by a scheme that loses details, so that every state is kept",
    source: lax_wendroff::source,
    demo: || {
        let mut states = [[0.0; 5]; 20];
        states[0] = [1.0, 2.0, 3.0, 2.0, 1.5];
        Demo::new(
            states,
            |states: &mut [[f64; 5]; 20]| lax_wendroff(states, 0.1),
            |states| lax_wendroff::uncall(states, 0.1),
            |states| format!("first = {:?}, last = {:?}", states[0], rounded(&states[19])),
        )
    },
};
