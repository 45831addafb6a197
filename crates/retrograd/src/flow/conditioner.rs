//! The nets of coupling layers: any program that adds numbers to numbers, and a small one that comes along.

use std::num::Wrapping;

use crate::{Real, random, reversible};

/// How many numbers a [`Conditioner`] reads, adds to and learns.
pub trait Sizes {
    /// How many numbers it reads.
    fn inputs(&self) -> usize;
    /// To how many numbers it adds.
    fn outputs(&self) -> usize;
    /// How many weights it has.
    fn weights(&self) -> usize;
}

/// What a coupling layer computes from the coordinates that it keeps: a net, or anything else.
///
/// It *adds* to `y` a function of `x` and of weights, which are what the flow learns. That has an inverse whatever the function is, so
/// that a conditioner need not be invertible itself. The layer stores the weights; `self` says only how to use them, and is marked
/// `#[constant]`.
///
/// ```
/// use retrograd::flow::{Conditioner, Sizes};
/// use retrograd::prelude::*;
///
/// /// A parabola with a learned coefficient.
/// struct Parabola;
///
/// impl Sizes for Parabola {
///     fn inputs(&self) -> usize {
///         1
///     }
///     fn outputs(&self) -> usize {
///         1
///     }
///     fn weights(&self) -> usize {
///         1
///     }
/// }
///
/// #[reversible]
/// impl<T: Real> Conditioner<T> for Parabola {
///     fn add(#[constant] &self, y: &mut [T], x: &[T], weights: &[T]) {
///         y[0] += weights[0] * x[0].square();
///     }
/// }
///
/// let mut y = [1.0];
/// Parabola.add(&mut y, &[3.0], &[2.0]);
/// assert_eq!(y, [19.0]);
/// ```
#[reversible]
pub trait Conditioner<T: Real>: Sizes {
    /// Adds to `y` what it computes from `x`.
    fn add(#[constant] &self, y: &mut [T], x: &[T], weights: &[T]);
}

/// A net with one hidden layer of units tanh.
///
/// ```
/// use retrograd::flow::{Conditioner, Mlp, Sizes};
/// use std::num::Wrapping;
///
/// let net = Mlp { inputs: 2, hidden: 8, outputs: 3 };
/// let weights: Vec<f64> = net.random(&mut Wrapping(1));
/// assert_eq!(weights.len(), net.weights());
/// let mut y = [0.0; 3];
/// net.add(&mut y, &[0.5, -0.5], &weights);
/// assert!(y.iter().all(|y| *y != 0.0));
/// net.uncall_add(&mut y, &[0.5, -0.5], &weights);
/// assert!(y.iter().all(|y| y.abs() < 1e-15));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mlp {
    /// How many numbers it reads.
    pub inputs: usize,
    /// How many hidden units it has.
    pub hidden: usize,
    /// To how many numbers it adds.
    pub outputs: usize,
}

impl Mlp {
    /// Random weights. Those of the outputs are small, so that a flow starts near the identity.
    pub fn random<T: Real>(&self, state: &mut Wrapping<u64>) -> Vec<T> {
        let Mlp { inputs, hidden, outputs } = *self;
        let root = |count: usize| (count.max(1) as f64).sqrt();
        let deviations = [
            (hidden * inputs, 2.0 / root(inputs)),
            (hidden, 1.0),
            (outputs * hidden, 0.3 / root(hidden)),
            (outputs, 0.0),
        ];
        let mut draw = |deviation: f64| {
            random::advance(state);
            random::normal::<T>(*state) * T::lit(deviation)
        };
        deviations.into_iter().flat_map(|(count, deviation)| vec![deviation; count]).map(&mut draw).collect()
    }
}

impl Sizes for Mlp {
    fn inputs(&self) -> usize {
        self.inputs
    }
    fn outputs(&self) -> usize {
        self.outputs
    }
    fn weights(&self) -> usize {
        (self.inputs + 1) * self.hidden + (self.hidden + 1) * self.outputs
    }
}

#[reversible]
impl<T: Real> Conditioner<T> for Mlp {
    fn add(#[constant] &self, y: &mut [T], x: &[T], weights: &[T]) {
        // A row of weights for each hidden unit and what is added to each, then the same for each output.
        let (inner, others) = weights.split_at(self.hidden * self.inputs);
        let (inner_bias, others) = others.split_at(self.hidden);
        let (outer, outer_bias) = others.split_at(self.outputs * self.hidden);
        let mut inputs = inner_bias.to_vec();
        let mut hidden = vec![T::zero(); self.hidden];
        for h in 0..self.hidden {
            for i in 0..self.inputs {
                inputs[h] += inner[h * self.inputs + i] * x[i];
            }
            hidden[h] += inputs[h].tanh();
        }
        for o in 0..self.outputs {
            y[o] += outer_bias[o];
            for h in 0..self.hidden {
                y[o] += outer[o * self.hidden + h] * hidden[h];
            }
        }
    }
}
