//! A recurrent net that listens to a signal and guesses how it goes on.
//!
//! Its memory is a vector that each step rotates, by as many angles as it takes to reach every rotation: so nothing in it grows or fades by itself. Then a
//! hyperbolic tangent of it and the signal is taken, which does lose something. A gradient through ten thousand steps would have to keep all of it, if it
//! were not for [`checkpointed()`].

use retrograd::prelude::*;

use super::umm::umm;
use super::{Demo, Entry};

/// How many weights a net has that remembers so many numbers: angles, weights of the signal, numbers that are added, and weights of the
/// guess.
///
/// ```
/// assert_eq!(lab_corpus::programs::recurrent::count(8), 28 + 3 * 8);
/// ```
pub const fn count(units: usize) -> usize {
    units * units.saturating_sub(1) / 2 + 3 * units
}

/// Changes the memory of a net that hears `x`.
///
/// ```
/// use lab_corpus::programs::recurrent::listen;
/// use retrograd::Record;
///
/// // A right angle; the first number hears the signal.
/// let (weights, mut record) = ([std::f64::consts::FRAC_PI_2, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0], Record::new());
/// let mut memory = [0.5, 0.25];
/// listen::recorded(&mut memory, &weights, 2.0, &mut record);
/// assert!((memory[0] - 1.75_f64.tanh()).abs() < 1e-15 && (memory[1] - 0.5_f64.tanh()).abs() < 1e-15);
/// listen::uncall(&mut memory, &weights, 2.0, &mut record);
/// assert!((memory[0] - 0.5).abs() < 1e-15 && (memory[1] - 0.25).abs() < 1e-15);
/// ```
#[reversible(record)]
pub fn listen<T: Real>(memory: &mut [T], weights: &[T], x: T) {
    let units = memory.len();
    let angles = units * (units - 1) / 2;
    umm(memory, &weights[..angles]);
    for i in 0..units {
        memory[i] = (memory[i] + weights[angles + i] * x + weights[angles + units + i]).tanh();
    }
}

/// What the net expects to hear next.
///
/// ```
/// use lab_corpus::programs::recurrent::guess;
///
/// assert_eq!(guess(&[0.5, 0.25], &[9.0, 9.0, 9.0, 9.0, 9.0, 2.0, 4.0]), 2.0);
/// ```
#[reversible]
pub fn guess<T: Real>(memory: &[T], weights: &[T]) -> T {
    let first = weights.len() - memory.len();
    let mut sum = T::zero();
    for i in 0..memory.len() {
        sum += memory[i] * weights[first + i];
    }
    sum
}

/// The mean square of the errors of all guesses, with everything kept that is lost on the way there.
///
/// ```
/// use lab_corpus::programs::recurrent::{Lesson, recorded};
///
/// let Lesson { weights, signal } = Lesson::new(8, 100);
/// assert!(recorded(&weights, &signal, 8) > 0.1);
/// ```
#[reversible(record)]
pub fn recorded<T: Real>(weights: &[T], #[constant] signal: &[f64], units: usize) -> T {
    let mut memory = vec![T::zero(); units];
    let mut sum = T::zero();
    for t in 1..signal.len() {
        listen(&mut memory, weights, T::lit(signal[t - 1]));
        sum += (guess(&memory, weights) - T::lit(signal[t])).powi(2);
    }
    sum / (signal.len() - 1) as T
}

/// The same, with so many states kept, from which steps are run again.
///
/// ```
/// use lab_corpus::programs::recurrent::{Lesson, checkpointed};
/// use retrograd::Record;
///
/// // Three times as many steps, and not a byte more.
/// let mut record = Record::new();
/// let bytes = [300, 900].map(|steps| {
///     let Lesson { weights, signal } = Lesson::new(8, steps);
///     record.clear();
///     checkpointed::gradient_in(&mut record, &weights, &signal, 8, 10);
///     record.peak_bytes()
/// });
/// assert!(bytes[0] == bytes[1] && bytes[0] < 1500, "{bytes:?}");
/// ```
#[reversible(record)]
pub fn checkpointed<T: Real>(weights: &[T], #[constant] signal: &[f64], units: usize, snapshots: usize) -> T {
    let mut memory = vec![T::zero(); units];
    let mut sum = T::zero();
    #[checkpoint(snapshots = snapshots)]
    for t in 1..signal.len() {
        listen(&mut memory, weights, T::lit(signal[t - 1]));
        sum += (guess(&memory, weights) - T::lit(signal[t])).powi(2);
    }
    sum / (signal.len() - 1) as T
}

/// Adds the loss of a net with ten states kept to `loss`.
///
/// ```
/// use lab_corpus::programs::recurrent::{Lesson, recorded, recurrent};
///
/// let Lesson { weights, signal } = Lesson::new(4, 20);
/// let mut loss = 1.0;
/// recurrent(&mut loss, &weights, &signal, 4);
/// assert_eq!(loss, 1.0 + recorded(&weights, &signal, 4));
/// ```
#[reversible]
pub fn recurrent<T: Real>(loss: &mut T, weights: &[T], #[constant] signal: &[f64], units: usize) {
    *loss += checkpointed(weights, signal, units, 10);
}

/// What a net begins with, and what it is to learn.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The weights to begin with.
    pub weights: Vec<f64>,
    /// The signal.
    pub signal: Vec<f64>,
}

impl Lesson {
    /// Two notes, one above the other, to be learned by a net that remembers so many numbers.
    pub fn new(units: usize, steps: usize) -> Lesson {
        let angles = units * units.saturating_sub(1) / 2;
        let scattered = |i: usize| (f64::from((i * i) as u32) * 1.618).sin();
        let weight = |i: usize| match i {
            i if i < angles => 0.7 * scattered(i + 1),
            i if i < angles + units => 0.4 * scattered(i + 1),
            _ => 0.1 * scattered(i + 1),
        };
        let note = |t: usize| 0.6 * (0.21 * t as f64).sin() + 0.3 * (0.4 * t as f64 + 1.0).sin();
        Lesson { weights: (0..count(units)).map(weight).collect(), signal: (0..=steps).map(note).collect() }
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "recurrent",
    about: "adds the loss of a net that remembers by rotating a vector; its gradient keeps ten states, however long it listens",
    source: recurrent::source,
    demo: || {
        let Lesson { weights, signal } = Lesson::new(4, 100);
        Demo::new(
            0.0,
            |loss: &mut f64| recurrent(loss, &weights, &signal, 4),
            |loss| recurrent::uncall(loss, &weights, &signal, 4),
            |loss| format!("loss = {loss:.6} over {} steps", signal.len() - 1),
        )
    },
};
