//! Training with momentum, run backwards bit for bit: the gradient of what was learned, by how it was learned.
//!
//! A step of training multiplies the velocity by the momentum, which loses bits; all else only adds. With the few bits that are
//! lost in a buffer, training comes back from its last weights alone. So the derivatives of the final loss by every learning rate
//! and every momentum take one sweep backwards, and no record of the weights on the way. (Maclaurin, Duvenaud and Adams, 2015)

use retrograd::ops::damp;
use retrograd::prelude::*;
use retrograd::{Fixed, InformationBuffer};

use super::{Demo, Entry};

/// The numbers that training runs on: 48 bits after the point, and values up to 32768.
pub type Number = Fixed<48>;

/// What a network with one input and one output makes of `x`.
///
/// Its hidden units have three weights each, before and after a hyperbolic tangent: factor, constant and factor. The last weight is the
/// constant of the output.
///
/// ```
/// use lab_corpus::programs::learning::predict;
///
/// assert_eq!(predict(&[1.0, 0.0, 2.0, 0.5], 0.25), 0.5 + 2.0 * 0.25_f64.tanh());
/// ```
#[reversible]
pub fn predict<T: Real>(w: &[T], x: T) -> T {
    let hidden = w.len() / 3;
    let mut y = w[3 * hidden];
    for j in 0..hidden {
        y += w[3 * j + 2] * (w[3 * j] * x + w[3 * j + 1]).tanh();
    }
    y
}

/// Half the mean square of the errors at the points `x`, where the values should be `y`.
///
/// ```
/// use lab_corpus::programs::learning::loss;
///
/// // A network without hidden units.
/// assert_eq!(loss(&[1.0], &[0.5, 0.25], &[3.0, 1.0]), 1.0);
/// ```
#[reversible]
pub fn loss<T: Real>(w: &[T], #[constant] x: &[T], #[constant] y: &[T]) -> T {
    let mut sum = T::zero();
    for k in 0..x.len() {
        let error = predict(w, x[k]) - y[k];
        sum += error * error;
    }
    sum / (2 * x.len()) as T
}

/// Takes the gradient of the loss away from the velocities `v`.
///
/// ```
/// use lab_corpus::programs::learning::{kick, loss};
///
/// let (w, x, y) = ([0.3, -0.2, 0.7, 0.1], [0.5, -1.0], [1.0, 0.0]);
/// let mut v = [0.0_f64; 4];
/// kick(&mut v, &w, &x, &y);
/// let (_, gradient) = loss::gradient(&w, &x, &y);
/// assert!(v.iter().zip(&gradient).all(|(v, g)| (v + g).abs() < 1e-15));
/// ```
#[reversible]
pub fn kick<T: Real>(v: &mut [T], w: &[T], #[constant] x: &[T], #[constant] y: &[T]) {
    let hidden = w.len() / 3;
    for k in 0..x.len() {
        let error = (predict(w, x[k]) - y[k]) / x.len() as T;
        for j in 0..hidden {
            let unit = (w[3 * j] * x[k] + w[3 * j + 1]).tanh();
            let before = error * w[3 * j + 2] * (1.0 - unit * unit);
            v[3 * j] -= before * x[k];
            v[3 * j + 1] -= before;
            v[3 * j + 2] -= error * unit;
        }
        v[3 * hidden] -= error;
    }
}

/// Trains the weights `w`, moving with the velocities `v`: one step for each rate, with the momentum of the same step.
///
/// What the products by momenta lose goes into `lost`.
///
/// ```
/// use lab_corpus::programs::learning::{Lesson, learning};
/// use retrograd::InformationBuffer;
///
/// let Lesson { weights, velocities, rates, momenta, train: (x, y), .. } = Lesson::new(20);
/// let (mut w, mut v, mut lost) = (weights.clone(), velocities.clone(), InformationBuffer::new());
/// learning(&mut w, &mut v, &rates, &momenta, &mut lost, &x, &y);
/// assert!(w != weights && lost.bits() > 0.0);
/// learning::uncall(&mut w, &mut v, &rates, &momenta, &mut lost, &x, &y);
/// assert!(w == weights && v == velocities && lost.is_empty());
/// ```
#[reversible]
pub fn learning<T: Real>(
    w: &mut [T],
    v: &mut [T],
    rates: &[T],
    momenta: &[T],
    lost: &mut InformationBuffer,
    #[constant] x: &[T],
    #[constant] y: &[T],
) {
    for step in 0..rates.len() {
        for i in 0..v.len() {
            damp(&mut v[i], momenta[step], lost);
        }
        kick(v, &*w, x, y);
        for i in 0..w.len() {
            w[i] += rates[step] * v[i];
        }
    }
}

/// What is to be learned, and how.
#[derive(Clone, Debug)]
pub struct Lesson<T> {
    /// The weights to begin with.
    pub weights: Vec<T>,
    /// The velocities to begin with.
    pub velocities: Vec<T>,
    /// The learning rate of each step.
    pub rates: Vec<T>,
    /// The momentum of each step.
    pub momenta: Vec<T>,
    /// The points to learn from, and their values.
    pub train: (Vec<T>, Vec<T>),
    /// The points that tell how well it was learned.
    pub validate: (Vec<T>, Vec<T>),
}

impl Lesson<Number> {
    /// A wave with some noise, at 20 points, to be learned by a network with four hidden units.
    pub fn new(steps: usize) -> Lesson<Number> {
        // All weights differ, or the hidden units would learn the same.
        let noise = |i: usize, size: f64| size * (f64::from(i as u32 * i as u32) * 1.618).sin();
        let wave = |x: f64| (3.0 * x).sin();
        let points = |n: usize| (0..n).map(move |k| 2.0 * (k as f64 + 0.5) / n as f64 - 1.0);
        let numbers = |values: &mut dyn Iterator<Item = f64>| values.map(Number::lit).collect::<Vec<_>>();
        Lesson {
            weights: numbers(&mut (1..=13).map(|i| noise(i, 0.8))),
            velocities: numbers(&mut (0..13).map(|_| 0.0)),
            // Learning slows down, and momentum grows.
            rates: numbers(&mut (0..steps).map(|t| 0.15 / (1.0 + t as f64 / 200.0))),
            momenta: numbers(&mut (0..steps).map(|t| 0.95 - 0.1 / (1.0 + t as f64 / 50.0))),
            train: (
                numbers(&mut points(20)),
                numbers(&mut points(20).enumerate().map(|(k, x)| wave(x) + noise(k + 1, 0.1))),
            ),
            validate: (numbers(&mut points(15)), numbers(&mut points(15).map(wave))),
        }
    }
}

impl<T: Real> Lesson<T> {
    /// The same lesson on other numbers.
    pub fn map<U>(&self, number: impl Fn(T) -> U) -> Lesson<U> {
        let all = |numbers: &[T]| numbers.iter().map(|&x| number(x)).collect::<Vec<U>>();
        Lesson {
            weights: all(&self.weights),
            velocities: all(&self.velocities),
            rates: all(&self.rates),
            momenta: all(&self.momenta),
            train: (all(&self.train.0), all(&self.train.1)),
            validate: (all(&self.validate.0), all(&self.validate.1)),
        }
    }

    /// The loss at the points of validation after training.
    pub fn loss_after(&self) -> T {
        let (mut w, mut v, mut lost) = (self.weights.clone(), self.velocities.clone(), InformationBuffer::new());
        learning(&mut w, &mut v, &self.rates, &self.momenta, &mut lost, &self.train.0, &self.train.1);
        loss(&w, &self.validate.0, &self.validate.1)
    }
}

/// What training came to, and its derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// How many steps were made.
    pub steps: usize,
    /// How many weights were trained.
    pub weights: usize,
    /// The loss at the points of validation, before training.
    pub loss_before: f64,
    /// The same after training.
    pub loss: f64,
    /// The derivatives of this loss by the learning rate of each step.
    pub by_rates: Vec<f64>,
    /// Its derivatives by the momentum of each step.
    pub by_momenta: Vec<f64>,
    /// Whether weights and velocities came back bit for bit, and the buffer was empty again.
    pub restored: bool,
    /// How many bits the products have lost.
    pub buffer_bits: f64,
    /// How many bytes the buffer took at most.
    pub buffer_bytes: usize,
    /// How many bytes all weights and velocities of all steps take, which a tape would have to store.
    pub tape_bytes: usize,
}

impl Figures {
    /// How many times larger the tape is.
    pub fn ratio(&self) -> f64 {
        self.tape_bytes as f64 / self.buffer_bytes as f64
    }
}

/// Trains, and goes back with the derivatives of the loss.
///
/// ```
/// use lab_corpus::programs::learning::{Lesson, figures};
///
/// let figures = figures(&Lesson::new(30));
/// assert!(figures.restored && figures.loss < figures.loss_before);
/// assert!(figures.buffer_bytes < 80 && figures.tape_bytes == 30 * 2 * 13 * 8);
/// ```
pub fn figures(lesson: &Lesson<Number>) -> Figures {
    let Lesson { weights, velocities, rates, momenta, train, validate } = lesson;
    let (mut w, mut v, mut lost) = (weights.clone(), velocities.clone(), InformationBuffer::new());
    let loss_before = loss(&w, &validate.0, &validate.1).to_f64();
    learning(&mut w, &mut v, rates, momenta, &mut lost, &train.0, &train.1);
    let (buffer_bits, buffer_bytes) = (lost.bits(), lost.bytes());

    let (loss, mut by_weights) = loss::gradient(&w, &validate.0, &validate.1);
    let mut by_velocities = vec![0.0; v.len()];
    let (mut by_rates, mut by_momenta) = (vec![0.0; rates.len()], vec![0.0; momenta.len()]);
    learning::pullback(
        (&mut w, &mut by_weights),
        (&mut v, &mut by_velocities),
        (rates, &mut by_rates),
        (momenta, &mut by_momenta),
        &mut lost,
        &train.0,
        &train.1,
    );
    Figures {
        steps: rates.len(),
        weights: w.len(),
        loss_before,
        loss: loss.to_f64(),
        by_rates,
        by_momenta,
        restored: w == *weights && v == *velocities && lost.is_empty(),
        buffer_bits,
        buffer_bytes,
        tape_bytes: rates.len() * (size_of_val(&w[..]) + size_of_val(&v[..])),
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "learning",
    about: "trains a network with momentum and goes back bit for bit, by the few bits that products have lost",
    source: learning::source,
    demo: || {
        let Lesson { weights, velocities, rates, momenta, train: (x, y), validate } = Lesson::new(100);
        type State = (Vec<Number>, Vec<Number>, InformationBuffer);
        Demo::new(
            (weights, velocities, InformationBuffer::new()),
            |(w, v, lost): &mut State| learning(w, v, &rates, &momenta, lost, &x, &y),
            |(w, v, lost)| learning::uncall(w, v, &rates, &momenta, lost, &x, &y),
            |(w, _, lost)| format!("loss = {:.6}, lost = {:.1} bits", loss(w, &validate.0, &validate.1), lost.bits()),
        )
    },
};
