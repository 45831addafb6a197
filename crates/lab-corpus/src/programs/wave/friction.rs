//! The way that does not work: friction run backwards.

use retrograd::prelude::*;

use super::Shot;

/// The misfit, by statements that can all be undone, in the layer too: a factor is taken back by dividing by it.
///
/// In exact arithmetic nothing would be lost. But the layer has made the wave small, and what is left of it are the digits that
/// rounding has spoiled; dividing makes them large again. So the way back ends somewhere else, and the gradient is refused.
///
/// ```
/// use lab_corpus::programs::wave::{Shot, unsaved};
/// use retrograd::{ErrorKind, attempt};
///
/// let (speed, shot) = ([1.0; 100], Shot::around(10, 4, 300).heard_through(&[1.1; 100]));
/// let refused = attempt(|| unsaved::gradient(&speed, &shot)).unwrap_err();
/// assert_eq!(refused.kind, ErrorKind::Drift);
/// ```
#[reversible]
pub fn unsaved<T: Real>(speed: &[T], #[constant] shot: &Shot) -> T {
    let (n, width, layer) = (shot.size, shot.size + 2, &shot.layer);
    let cells = layer.cells();
    let mut courant = vec![T::zero(); width * width];
    for i in 0..n {
        for j in 0..n {
            courant[(i + 1) * width + j + 1] += (T::lit(shot.ratio) * speed[i * n + j]).powi(2);
        }
    }
    let (mut u, mut d) = (vec![T::zero(); width * width], vec![T::zero(); width * width]);
    let (mut outer, mut change) = (vec![T::zero(); layer.places()], vec![T::zero(); cells]);
    let (mut right, mut down) = (vec![T::zero(); cells + 1], vec![T::zero(); cells + 1]);
    let mut misfit = T::zero();
    for t in 0..shot.steps {
        for i in 1..n + 1 {
            for p in i * width + 1..i * width + n + 1 {
                d[p] += courant[p] * (u[p - 1] + u[p + 1] + u[p - width] + u[p + width] - 4.0 * u[p]);
            }
        }
        for s in 0..shot.sources.len() {
            d[shot.sources[s]] += T::lit(shot.signal(t, s));
        }
        for c in 0..cells {
            let [west, east, north, south] = layer.around[c];
            let [left, above] = layer.before[c];
            change[c] *= T::lit(layer.keep[c]);
            change[c] += T::lit(layer.speed[c]) * (outer[west] + outer[east] + outer[north] + outer[south])
                - T::lit(layer.pull[c]) * outer[c]
                + T::lit(layer.gain[c]) * (right[c] - right[left] + down[c] - down[above]);
        }
        for i in 1..n + 1 {
            for p in i * width + 1..i * width + n + 1 {
                u[p] += d[p];
            }
        }
        for c in 0..cells {
            outer[c] += change[c];
        }
        // What two arrays have in common changes in both by the same.
        for r in 0..layer.rim.len() {
            outer[cells + r] += d[layer.rim[r]];
        }
        for r in 0..layer.ring.len() {
            let [place, cell] = layer.ring[r];
            u[place] += change[cell];
        }
        for c in 0..cells {
            let [_, east, _, south] = layer.around[c];
            right[c] *= T::lit(layer.fade[c][0]);
            right[c] += T::lit(layer.feed[c][0]) * (outer[east] - outer[c]);
            down[c] *= T::lit(layer.fade[c][1]);
            down[c] += T::lit(layer.feed[c][1]) * (outer[south] - outer[c]);
        }
        for r in 0..shot.receivers.len() {
            misfit += 0.5 * (u[shot.receivers[r]] - T::lit(shot.heard(t, r))).powi(2);
        }
    }
    misfit
}
