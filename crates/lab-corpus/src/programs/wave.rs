//! Waves in a plane, and what they tell of the ground that they went through.
//!
//! A wave spreads from some sources and is heard by some receivers. How far that is from what was heard outside, as a function of the
//! speed of the wave at each point, is the *misfit*; its gradient says how to change the speeds. Seismologists call this full-waveform
//! inversion.
//!
//! The wave leaves the [model](Shot) through an absorbing [`Layer`], and does not come back. So the equation is reversible inside, and
//! loses everything in the layer. There are four ways to the same gradient:
//!
//! | program | way back | memory for each step |
//! |---|---|---|
//! | [`reversed()`] | the model is run backwards, and the ring around it is kept | its circumference |
//! | [`recorded()`] | what a step overwrites is kept | the layer |
//! | [`checkpointed()`] | a few states are kept, and steps are run again | none; s states in all |
//! | [`unsaved()`] | the layer is run backwards too, which does not work, and is an error | none |

mod friction;
mod layer;
mod shot;
mod step;

use retrograd::prelude::*;

pub use friction::unsaved;
pub use layer::Layer;
pub use shot::{Circle, Shot};
pub use step::{Field, advance, checkpointed, recorded, squares};

use super::{Demo, Entry};

/// The misfit of a wave that meets these speeds: half the sum of squares of all differences between what is heard and
/// what should have been.
///
/// On its way back, the model is run backwards. For that it needs the cells of the layer that touch it, so what they
/// were is kept: that is what `#[record]` in front of an assignment means. Of the rest of the layer no derivative needs any value, as its equations are
/// linear and its speed is given. So nothing of it is kept, although all of it is overwritten in every step.
///
/// ```
/// use lab_corpus::programs::wave::{Shot, reversed};
/// use retrograd::Record;
///
/// let (n, steps) = (20, 100);
/// let shot = Shot::around(n, 8, steps).heard_through(&vec![1.1; n * n]);
/// let mut record = Record::new();
/// let (misfit, gradient) = reversed::gradient_in(&mut record, &vec![1.0; n * n], &shot);
/// assert!(misfit > 0.0 && gradient.len() == n * n);
/// // Four sides, in every step.
/// assert_eq!(record.peak_bytes(), steps * 4 * n * size_of::<f64>());
/// ```
#[reversible]
pub fn reversed<T: Real>(speed: &[T], #[constant] shot: &Shot) -> T {
    let (n, width, layer) = (shot.size, shot.size + 2, &shot.layer);
    let cells = layer.cells();
    let mut courant = vec![T::zero(); width * width];
    for i in 0..n {
        for j in 0..n {
            courant[(i + 1) * width + j + 1] += (T::lit(shot.ratio) * speed[i * n + j]).powi(2);
        }
    }
    // The wave and its change in a step, in the model with the ring around it, and in the layer with the outermost cells of the model.
    let (mut u, mut d) = (vec![T::zero(); width * width], vec![T::zero(); width * width]);
    let (mut outer, mut change) = (vec![T::zero(); layer.places()], vec![T::zero(); cells]);
    let (mut right, mut down) = (vec![T::zero(); cells + 1], vec![T::zero(); cells + 1]);
    let mut misfit = T::zero();
    for t in 0..shot.steps {
        // The model: a kick, and a drift.
        for i in 1..n + 1 {
            for p in i * width + 1..i * width + n + 1 {
                d[p] += courant[p] * (u[p - 1] + u[p + 1] + u[p - width] + u[p + width] - 4.0 * u[p]);
            }
        }
        for s in 0..shot.sources.len() {
            d[shot.sources[s]] += T::lit(shot.signal(t, s));
        }
        for i in 1..n + 1 {
            for p in i * width + 1..i * width + n + 1 {
                u[p] += d[p];
            }
        }
        // The layer: the same, with friction. Nothing in it can be undone.
        #[record]
        {
            for c in 0..cells {
                let [west, east, north, south] = layer.around[c];
                let [left, above] = layer.before[c];
                change[c] = T::lit(layer.keep[c]) * change[c]
                    + T::lit(layer.speed[c]) * (outer[west] + outer[east] + outer[north] + outer[south])
                    - T::lit(layer.pull[c]) * outer[c]
                    + T::lit(layer.gain[c]) * (right[c] - right[left] + down[c] - down[above]);
            }
            for c in 0..cells {
                outer[c] += change[c];
            }
            for r in 0..layer.rim.len() {
                outer[cells + r] = u[layer.rim[r]];
            }
            for c in 0..cells {
                let [_, east, _, south] = layer.around[c];
                right[c] = T::lit(layer.fade[c][0]) * right[c] + T::lit(layer.feed[c][0]) * (outer[east] - outer[c]);
                down[c] = T::lit(layer.fade[c][1]) * down[c] + T::lit(layer.feed[c][1]) * (outer[south] - outer[c]);
            }
            for r in 0..layer.ring.len() {
                let [place, cell] = layer.ring[r];
                u[place] = outer[cell];
            }
        }
        for r in 0..shot.receivers.len() {
            misfit += 0.5 * (u[shot.receivers[r]] - T::lit(shot.heard(t, r))).powi(2);
        }
    }
    misfit
}

/// Adds the misfit of a wave to `misfit`, as [`reversed()`] has it.
///
/// ```
/// use lab_corpus::programs::wave::{Shot, reversed, wave};
///
/// let (speed, shot) = ([1.0; 36], Shot::around(6, 3, 10).heard_through(&[1.2; 36]));
/// let mut misfit = 1.0;
/// wave(&mut misfit, &speed, &shot);
/// assert_eq!(misfit, 1.0 + reversed(&speed, &shot));
/// ```
#[reversible]
pub fn wave<T: Real>(misfit: &mut T, speed: &[T], #[constant] shot: &Shot) {
    *misfit += reversed(speed, shot);
}

pub(super) const ENTRY: Entry = Entry {
    name: "wave",
    about: "adds how far a wave is from what was heard; its gradient runs the wave backwards, except where it is absorbed",
    source: wave::source,
    demo: || {
        let (speed, shot) = ([1.0; 144], Shot::around(12, 6, 60).heard_through(&[1.1; 144]));
        Demo::new(
            0.0,
            |misfit: &mut f64| wave(misfit, &speed, &shot),
            |misfit| wave::uncall(misfit, &speed, &shot),
            |misfit| format!("misfit = {misfit:.4}, {} cells in {} steps", speed.len(), shot.steps),
        )
    },
};
