//! Programs that lose information, each in four forms: as one would write it, with a record; reversibly, with histories of what is
//! needed again; in plain Rust; and as a gradient by hand, with a tape.
//!
//! The experiment of that name measures them beside each other, and `tests/lossy.rs` checks that all agree.

pub mod average;
pub mod brusselator;
pub mod horner;
pub mod kalman;
pub mod logistic;
pub mod lorenz;
pub mod lstm;
pub mod mixture;
pub mod nest;
pub mod network;
pub mod pendulum;
mod runge_kutta;
mod tape;

use retrograd::{Dual, Record};

pub use tape::Tape;

/// What a program is run on.
#[derive(Clone, Debug)]
pub struct Input {
    /// The numbers with respect to which it is differentiated, one behind the other.
    pub x: Vec<f64>,
    /// Numbers with respect to which it is not.
    pub data: Vec<f64>,
    /// How many steps it takes.
    pub steps: usize,
}

/// A program that loses information. Gradients are added to the numbers that they are given.
#[derive(Clone, Copy, Debug)]
pub struct Lossy {
    /// What it computes.
    pub name: &'static str,
    /// An example of so many steps.
    pub input: fn(usize) -> Input,
    /// How many steps are enough to measure it.
    pub steps: usize,
    /// The program in plain Rust.
    pub plain: fn(&Input) -> f64,
    /// Its value and gradient by hand.
    pub by_hand: fn(&mut Tape, &Input, &mut [f64]) -> f64,
    /// The same of the program with plain assignments.
    pub recorded: fn(&mut Record, &Input, &mut [f64]) -> f64,
    /// The same of the reversible program.
    pub reversible: fn(&Input, &mut [f64]) -> f64,
    /// The program with plain assignments at other numbers.
    pub dual: fn(&Input, &[Dual<f64, 1>]) -> Dual<f64, 1>,
}

/// All of them, from the simplest on. Nests of other depths are in [`nest::NESTS`], natural forms in [`NATURAL`].
pub const ALL: &[Lossy] = &[
    horner::LOSSY,
    logistic::LOSSY,
    average::LOSSY,
    lorenz::LOSSY,
    pendulum::LOSSY,
    brusselator::LOSSY,
    kalman::LOSSY,
    network::LOSSY,
    lstm::LOSSY,
    mixture::LOSSY,
    nest::NESTS[0],
    nest::NESTS[7],
];

/// Some of them with plain assignments as one would first write them, where the recorded form above is written for speed.
pub const NATURAL: &[Lossy] = &[lorenz::NATURAL, lstm::NATURAL, mixture::NATURAL];

/// Numbers that have no derivative.
fn constants(numbers: &[f64]) -> Vec<Dual<f64, 1>> {
    numbers.iter().map(|&number| Dual::constant(number)).collect()
}

/// The first `N` numbers, and the others.
#[inline(always)]
fn array<T, const N: usize>(numbers: &[T]) -> (&[T; N], &[T]) {
    numbers.split_first_chunk().expect("there are enough numbers")
}

/// The first `N` numbers, and the others, to be changed.
#[inline(always)]
fn array_mut<T, const N: usize>(numbers: &mut [T]) -> (&mut [T; N], &mut [T]) {
    numbers.split_first_chunk_mut().expect("there are enough numbers")
}
