//! Bennett's trade of time for space: many irreversible steps, few states in memory.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// Adds to `next` what follows `now` under the logistic map, a step from which there is no way back: `now` and
/// `1 - now` have the same successor.
///
/// ```
/// use lab_corpus::programs::bennett::logistic;
///
/// let mut next = 0.0;
/// logistic(&mut next, 0.25);
/// logistic::uncall(&mut next, 0.75);
/// assert_eq!(next, 0.0);
/// ```
#[reversible]
pub fn logistic<T: Real>(next: &mut T, now: T) {
    *next += 3.75 * now * (1.0 - now);
}

/// Takes the state under the key `start` forward by `len` steps, into a state under the key `start + len`. No state
/// in between is left.
///
/// `len` is a power of `k`. A stretch is cut into `k` parts: all are run, then all but the last are run backwards,
/// each to free the state it made. For kⁿ steps this takes (2k−1)ⁿ steps, which `steps` counts in both directions,
/// and there are never more than n(k−1) + 2 states.
///
/// ```
/// use lab_corpus::programs::bennett::bennett;
/// use retrograd::Slots;
///
/// let (mut states, mut steps) = (Slots::from_iter([(0, 0.5)]), 0);
/// bennett(&mut states, 4, 0, 256, &mut steps);
/// assert_eq!(states.keys().collect::<Vec<_>>(), [&0, &256]);
/// assert_eq!((steps, states.peak()), (2401, 14));
///
/// bennett::uncall(&mut states, 4, 0, 256, &mut steps);
/// assert_eq!(states.keys().collect::<Vec<_>>(), [&0]);
/// assert_eq!(steps, 2 * 2401);
/// ```
#[reversible]
pub fn bennett<T: Real>(states: &mut Slots<usize, T>, k: usize, start: usize, len: usize, #[host] steps: &mut usize) {
    if len == 1 {
        states.allocate(start + 1);
        logistic(&mut states[start + 1], states[start]);
        #[host]
        *steps += 1;
    } else {
        let part = len / k;
        for j in 0..k {
            bennett(states, k, start + part * j, part, steps);
        }
        for j in (0..k - 1).rev() {
            bennett::uncall(states, k, start + part * j, part, steps);
        }
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "bennett",
    about: "runs irreversible steps and leaves only the last state; a host counter tells what that costs",
    source: bennett::source,
    demo: || {
        let (mut there, mut back) = (0, 0);
        let mut demo = Demo::new(
            Slots::from_iter([(0, 0.5)]),
            |states: &mut Slots<usize, f64>| bennett(states, 4, 0, 256, &mut there),
            |states| bennett::uncall(states, 4, 0, 256, &mut back),
            |states| format!("states = {states:.4?}, at most {} at a time", states.peak()),
        );
        demo.after += &format!(", {there} steps for 256");
        demo.restored &= there == back;
        demo
    },
};
