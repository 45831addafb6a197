//! The same programs by crates that one could pick instead, each in the mode that suits it best.
//!
//! All run the plain functions beside this module, by way of [`Number`]. num-dual carries tangents forwards.
//! echidna and easy-ml write a tape and run it backwards; echidna can carry tangents too.
//!
//! Every function returns derivatives by all inputs, one behind the other in the order of the arguments.

pub mod easy_ml;
pub mod echidna;
pub mod num_dual;

use super::data::{Mixture, Parameters};
use super::{Number, gaussian_mixture, solar_system, umm};
use crate::programs::solar_system::Bodies;

/// The objective of a Gaussian mixture, by parameters one behind the other.
fn mixture_objective<N: Number, const D: usize, const F: usize, const K: usize>(
    mixture: &Mixture<D, F, K>,
    parameters: &[N],
) -> N {
    let (alphas, rest) = parameters.split_at(K);
    let (means, icf) = rest.split_at(K * D);
    gaussian_mixture::objective_of_slices(alphas, means, icf, mixture.x.as_flattened(), &mixture.prior)
}

/// The parameters of a Gaussian mixture, one behind the other.
fn mixture_inputs<const D: usize, const F: usize, const K: usize>(mixture: &Mixture<D, F, K>) -> Vec<f64> {
    Parameters::to_vec(&mixture.parameters)
}

/// Where the third of `B` bodies is after some time, by positions, velocities and masses one behind the other.
fn way_of_the_earth<N: Number, const B: usize>(inputs: &[N], dt: f64, steps: usize) -> N {
    let (mut x, mut v) = ([[N::constant(0.0); 3]; B], [[N::constant(0.0); 3]; B]);
    x.as_flattened_mut().copy_from_slice(&inputs[..3 * B]);
    v.as_flattened_mut().copy_from_slice(&inputs[3 * B..6 * B]);
    let m: &[N; B] = inputs[6 * B..].try_into().expect("there is a mass for each body");
    solar_system::solar_system(&mut x, &mut v, m, dt, steps);
    x[2][0]
}

/// Positions, velocities and masses, one behind the other.
fn bodies_inputs<const B: usize>(bodies: &Bodies<B>) -> Vec<f64> {
    [bodies.x.as_flattened(), bodies.v.as_flattened(), &bodies.m].concat()
}

/// The first of `size` numbers after so many rotations of all of them, by the numbers and the angles, one behind the other.
fn rotated<N: Number>(inputs: &[N], size: usize, steps: usize) -> N {
    let (x, theta) = inputs.split_at(size);
    let mut x = x.to_vec();
    (0..steps).for_each(|_| umm::umm(&mut x, theta));
    x[0]
}

/// Ten points, one behind the other, as points.
fn points<N: Number, const K: usize>(x: &[N]) -> &[[N; K]; 10] {
    x.as_chunks().0.try_into().expect("there are ten points")
}
