//! Where other crates take part.

use std::hint::black_box;

use super::contest::{EASY_ML, ECHIDNA, ECHIDNA_BY_TAPE, NUM_DUAL};
use super::rows::jacobians;
use crate::experiments::memory::Tape;
use lab_corpus::programs::solar_system::Bodies;
use lab_corpus::programs::sparse_dot::Csc;
use lab_corpus::yardsticks::data::{Mixture, Scene};
use lab_corpus::yardsticks::peers::{easy_ml, echidna, num_dual};
use lab_report::measure::Contestant;

/// How those who are missing would take part: nobody is.
pub(crate) const MISSING: Option<&str> = None;

/// Tapes through many steps.
pub(crate) const TAPES: &[Tape] = &[
    Tape { name: "tape of echidna", solar_system: echidna::solar_system, rotations: echidna::rotations },
    Tape { name: "tape of easy-ml", solar_system: easy_ml::solar_system, rotations: easy_ml::rotations },
];

/// A derivative that comes as a new vector each time.
fn gradient<'a>(name: &'static str, compute: impl Fn() -> Vec<f64> + 'a) -> Contestant<'a> {
    Contestant::new(name, Vec::new(), move |g| *g = compute(), Vec::clone)
}

pub(crate) fn bundle_adjustment(scene: &Scene) -> Vec<Contestant<'_>> {
    vec![
        jacobians(scene, num_dual::bundle_adjustment, NUM_DUAL),
        jacobians(scene, echidna::bundle_adjustment, ECHIDNA),
        jacobians(scene, easy_ml::bundle_adjustment, EASY_ML),
    ]
}

pub(crate) fn gaussian_mixture<const D: usize, const F: usize, const K: usize>(
    mixture: &Mixture<D, F, K>,
) -> Vec<Contestant<'_>> {
    let mut contestants = vec![
        gradient(ECHIDNA, || echidna::gaussian_mixture(mixture)),
        gradient(EASY_ML, || easy_ml::gaussian_mixture(mixture)),
    ];
    // Forwards, 1650 directions take their time.
    if mixture.x.len() <= 1000 {
        contestants.push(gradient(NUM_DUAL, || num_dual::gaussian_mixture(mixture)));
    }
    contestants
}

pub(crate) fn graph_embedding<const K: usize>(x: &[[f64; K]; 10]) -> Vec<Contestant<'_>> {
    vec![
        gradient(NUM_DUAL, || num_dual::graph_embedding(black_box(x))),
        gradient(ECHIDNA, || echidna::graph_embedding(black_box(x))),
        gradient(EASY_ML, || easy_ml::graph_embedding(black_box(x))),
    ]
}

pub(crate) fn graph_embedding_hessian<const K: usize>(x: &[[f64; K]; 10]) -> Vec<Contestant<'_>> {
    vec![
        gradient(NUM_DUAL, || num_dual::graph_embedding_hessian(black_box(x))),
        gradient(ECHIDNA, || echidna::graph_embedding_hessian(black_box(x))),
    ]
}

/// A derivative by one number.
fn derivative<'a>(name: &'static str, compute: impl Fn() -> f64 + 'a) -> Contestant<'a> {
    Contestant::new(name, 0.0, move |g| *g = compute(), |g| vec![*g])
}

pub(crate) fn bessel(nu: u32, z: &f64) -> Vec<Contestant<'_>> {
    vec![
        derivative(NUM_DUAL, move || num_dual::bessel(black_box(nu), *black_box(z))),
        derivative(ECHIDNA, move || echidna::bessel(black_box(nu), *black_box(z))),
        derivative(EASY_ML, move || easy_ml::bessel(black_box(nu), *black_box(z))),
    ]
}

pub(crate) fn bessel_by_tape(nu: u32, z: &f64) -> Vec<Contestant<'_>> {
    vec![derivative(ECHIDNA_BY_TAPE, move || echidna::bessel_by_tape(black_box(nu), *black_box(z)))]
}

/// num-dual does not take part: it would have to carry a hundred thousand directions forwards.
pub(crate) fn sparse_dot<'a>(a: &'a Csc<f64>, b: &'a Csc<f64>) -> Vec<Contestant<'a>> {
    vec![gradient(ECHIDNA, || echidna::sparse_dot(a, b)), gradient(EASY_ML, || easy_ml::sparse_dot(a, b))]
}

pub(crate) fn solar_system<'a>(dt: f64, steps: usize) -> Vec<Contestant<'a>> {
    let contestant = |name, derivative: fn(&Bodies<8>, f64, usize) -> Vec<f64>| {
        let bodies = Bodies::solar_system();
        gradient(name, move || derivative(&bodies, dt, steps))
    };
    vec![
        contestant(NUM_DUAL, num_dual::solar_system),
        contestant(ECHIDNA, echidna::solar_system),
        contestant(EASY_ML, easy_ml::solar_system),
    ]
}
