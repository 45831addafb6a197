//! Where other crates take part.

use std::hint::black_box;

use super::contest::{EASY_ML, ECHIDNA, NUM_DUAL};
use super::rows::jacobians;
use crate::measure::Contestant;
use crate::programs::solar_system::Bodies;
use crate::programs::sparse_dot::Csc;
use crate::yardsticks::data::{Mixture, Scene};
use crate::yardsticks::peers::{easy_ml, echidna, num_dual};

/// Who took part, and how.
pub(crate) const REMARK: &str = "num-dual carries tangents forwards, and takes no part where that would be a hundred thousand \
    directions, or take minutes. echidna and easy-ml write a tape and run it backwards; echidna carries tangents where there \
    are few directions.";

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

pub(crate) fn bessel(nu: u32, z: &f64) -> Vec<Contestant<'_>> {
    let contestant = |name, derivative: fn(u32, f64) -> f64| {
        Contestant::new(name, 0.0, move |g| *g = derivative(black_box(nu), *black_box(z)), |g| vec![*g])
    };
    vec![
        contestant(NUM_DUAL, num_dual::bessel),
        contestant(ECHIDNA, echidna::bessel),
        contestant(EASY_ML, easy_ml::bessel),
    ]
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
