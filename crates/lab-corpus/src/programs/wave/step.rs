//! The wave step by step: a procedure that keeps what it overwrites, and the misfit by it.

use retrograd::prelude::*;

use super::Shot;

/// The state of a wave.
#[derive(Active, Clone, Debug, PartialEq)]
pub struct Field<T> {
    /// The wave in the model, with a ring of cells around it.
    pub u: Vec<T>,
    /// How much it changed in the last step.
    pub d: Vec<T>,
    /// The wave in the layer, and in what touches it.
    pub outer: Vec<T>,
    /// How much it changed in the last step.
    pub change: Vec<T>,
    /// φ at the right edge of each cell of the layer, and ψ at its lower edge.
    pub right: Vec<T>,
    /// See there.
    pub down: Vec<T>,
    /// The misfit so far.
    pub misfit: T,
}

impl<T: Real> Field<T> {
    /// Silence.
    pub fn silent(shot: &Shot) -> Field<T> {
        let (places, cells) = ((shot.size + 2) * (shot.size + 2), shot.layer.cells());
        let zeros = |n: usize| vec![T::zero(); n];
        Field {
            u: zeros(places),
            d: zeros(places),
            outer: zeros(shot.layer.places()),
            change: zeros(cells),
            right: zeros(cells + 1),
            down: zeros(cells + 1),
            misfit: T::zero(),
        }
    }
}

/// Takes a wave through step `t`. `courant` is the square of how far the wave goes in a step, for each cell of the model with its ring.
///
/// What is added is taken back on the way back, and what is overwritten is kept: all of the layer.
///
/// ```
/// use lab_corpus::programs::wave::{Field, Shot, advance};
/// use retrograd::Record;
///
/// let shot = Shot::around(6, 3, 10);
/// let (silence, mut record) = (Field::silent(&shot), Record::new());
/// let mut field = silence.clone();
/// for t in 0..10 {
///     advance::recorded(&mut field, &[0.25; 64], &shot, t, &mut record);
/// }
/// assert!(field.u != silence.u && record.bytes() > 0);
/// for t in (0..10).rev() {
///     advance::uncall(&mut field, &[0.25; 64], &shot, t, &mut record);
/// }
/// assert!(field.u.iter().all(|u: &f64| u.abs() < 1e-15) && record.bytes() == 0);
/// ```
#[reversible(record)]
pub fn advance<T: Real>(field: &mut Field<T>, courant: &[T], #[constant] shot: &Shot, t: usize) {
    let (n, width, layer) = (shot.size, shot.size + 2, &shot.layer);
    let cells = layer.cells();
    for i in 1..n + 1 {
        for p in i * width + 1..i * width + n + 1 {
            field.d[p] += courant[p]
                * (field.u[p - 1] + field.u[p + 1] + field.u[p - width] + field.u[p + width] - 4.0 * field.u[p]);
        }
    }
    for s in 0..shot.sources.len() {
        field.d[shot.sources[s]] += T::lit(shot.signal(t, s));
    }
    for i in 1..n + 1 {
        for p in i * width + 1..i * width + n + 1 {
            field.u[p] += field.d[p];
        }
    }
    for c in 0..cells {
        let [west, east, north, south] = layer.around[c];
        let [left, above] = layer.before[c];
        field.change[c] = T::lit(layer.keep[c]) * field.change[c]
            + T::lit(layer.speed[c])
                * (field.outer[west] + field.outer[east] + field.outer[north] + field.outer[south])
            - T::lit(layer.pull[c]) * field.outer[c]
            + T::lit(layer.gain[c]) * (field.right[c] - field.right[left] + field.down[c] - field.down[above]);
    }
    for c in 0..cells {
        field.outer[c] += field.change[c];
    }
    for r in 0..layer.rim.len() {
        field.outer[cells + r] = field.u[layer.rim[r]];
    }
    for c in 0..cells {
        let [_, east, _, south] = layer.around[c];
        field.right[c] =
            T::lit(layer.fade[c][0]) * field.right[c] + T::lit(layer.feed[c][0]) * (field.outer[east] - field.outer[c]);
        field.down[c] =
            T::lit(layer.fade[c][1]) * field.down[c] + T::lit(layer.feed[c][1]) * (field.outer[south] - field.outer[c]);
    }
    for r in 0..layer.ring.len() {
        let [place, cell] = layer.ring[r];
        field.u[place] = field.outer[cell];
    }
    for r in 0..shot.receivers.len() {
        field.misfit += 0.5 * (field.u[shot.receivers[r]] - T::lit(shot.heard(t, r))).powi(2);
    }
}

/// What a wave of these speeds multiplies differences by: the square of how far it goes in a step, with a ring of zeros around.
///
/// ```
/// use lab_corpus::programs::wave::{Shot, squares};
///
/// let squares = squares(&[1.0, 2.0, 1.0, 1.0], &Shot::around(2, 3, 1));
/// assert_eq!((squares.len(), squares[5], squares[6]), (16, 0.25, 1.0));
/// ```
#[reversible]
pub fn squares<T: Real>(speed: &[T], #[constant] shot: &Shot) -> Vec<T> {
    let (n, width) = (shot.size, shot.size + 2);
    let mut courant = vec![T::zero(); width * width];
    for i in 0..n {
        for j in 0..n {
            courant[(i + 1) * width + j + 1] += (T::lit(shot.ratio) * speed[i * n + j]).powi(2);
        }
    }
    courant
}

/// The misfit, with everything kept that is overwritten on the way there.
///
/// ```
/// use lab_corpus::programs::wave::{Shot, recorded, reversed};
///
/// let (speed, shot) = (vec![1.0; 100], Shot::around(10, 4, 50).heard_through(&[1.1; 100]));
/// let [kept, undone]: [Vec<f64>; 2] = [recorded::gradient(&speed, &shot).1, reversed::gradient(&speed, &shot).1];
/// assert!(kept.iter().zip(&undone).all(|(kept, undone)| (kept - undone).abs() < 1e-12));
/// ```
#[reversible(record)]
pub fn recorded<T: Real>(speed: &[T], #[constant] shot: &Shot) -> T {
    let courant = squares(speed, shot);
    let mut field = Field::silent(shot);
    for t in 0..shot.steps {
        advance(&mut field, &courant, shot, t);
    }
    field.misfit
}

/// The misfit, with a few states kept on the way there, from which steps are run again.
///
/// ```
/// use lab_corpus::programs::wave::{Shot, checkpointed, recorded};
///
/// let (speed, shot) = (vec![1.0; 100], Shot::around(10, 4, 50).heard_through(&[1.1; 100]));
/// let [repeated, kept]: [Vec<f64>; 2] = [checkpointed::gradient(&speed, &shot).1, recorded::gradient(&speed, &shot).1];
/// assert!(repeated.iter().zip(&kept).all(|(repeated, kept)| (repeated - kept).abs() < 1e-12));
/// ```
#[reversible(record)]
pub fn checkpointed<T: Real>(speed: &[T], #[constant] shot: &Shot) -> T {
    let courant = squares(speed, shot);
    let mut field = Field::silent(shot);
    #[checkpoint(snapshots = shot.snapshots)]
    for t in 0..shot.steps {
        advance(&mut field, &courant, shot, t);
    }
    field.misfit
}
