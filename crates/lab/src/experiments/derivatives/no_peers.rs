//! Without the feature `peers`, no other crate takes part.

use crate::experiments::memory::Tape;
use lab_corpus::programs::sparse_dot::Csc;
use lab_corpus::yardsticks::data::{Mixture, Scene};
use lab_report::measure::Contestant;

/// How those who are missing would take part.
pub(crate) const MISSING: Option<&str> = Some(
    "num-dual, echidna and easy-ml take part with the feature `peers`: `cargo run --release --features peers -- report`.",
);

/// Tapes through many steps.
pub(crate) const TAPES: &[Tape] = &[];

pub(crate) fn bundle_adjustment(_: &Scene) -> Vec<Contestant<'_>> {
    Vec::new()
}

pub(crate) fn gaussian_mixture<const D: usize, const F: usize, const K: usize>(
    _: &Mixture<D, F, K>,
) -> Vec<Contestant<'_>> {
    Vec::new()
}

pub(crate) fn graph_embedding<const K: usize>(_: &[[f64; K]; 10]) -> Vec<Contestant<'_>> {
    Vec::new()
}

pub(crate) fn graph_embedding_hessian<const K: usize>(_: &[[f64; K]; 10]) -> Vec<Contestant<'_>> {
    Vec::new()
}

pub(crate) fn bessel(_: u32, _: &f64) -> Vec<Contestant<'_>> {
    Vec::new()
}

pub(crate) fn bessel_by_tape(_: u32, _: &f64) -> Vec<Contestant<'_>> {
    Vec::new()
}

pub(crate) fn sparse_dot<'a>(_: &'a Csc<f64>, _: &'a Csc<f64>) -> Vec<Contestant<'a>> {
    Vec::new()
}

pub(crate) fn solar_system<'a>(_: f64, _: usize) -> Vec<Contestant<'a>> {
    Vec::new()
}
