//! Where the derivatives that retrograd makes take part. A function that returns `None` waits for its companion.

use lab::programs::sparse_dot::Csc;
use lab::yardsticks::data::{Mixture, Scene};

use crate::measure::Contestant;

/// `residual::jacobian`: two rows of 15, for each observation one behind the other.
pub(crate) fn bundle_adjustment(_scene: &Scene) -> Option<Contestant<'_>> {
    None
}

/// `residual_in_parts::jacobian`.
pub(crate) fn bundle_adjustment_in_parts(_scene: &Scene) -> Option<Contestant<'_>> {
    None
}

/// `objective::gradient`: by alphas, means and factors, one behind the other.
pub(crate) fn gaussian_mixture<const D: usize, const F: usize, const K: usize>(
    _mixture: &Mixture<D, F, K>,
) -> Option<Contestant<'_>> {
    None
}

/// `objective_plain::gradient`.
pub(crate) fn gaussian_mixture_plain<const D: usize, const F: usize, const K: usize>(
    _mixture: &Mixture<D, F, K>,
) -> Option<Contestant<'_>> {
    None
}

/// `objective_of_slices::gradient`.
pub(crate) fn gaussian_mixture_of_slices<const D: usize, const F: usize, const K: usize>(
    _mixture: &Mixture<D, F, K>,
) -> Option<Contestant<'_>> {
    None
}

/// `objective_of_slices_plain::gradient`.
pub(crate) fn gaussian_mixture_of_slices_plain<const D: usize, const F: usize, const K: usize>(
    _mixture: &Mixture<D, F, K>,
) -> Option<Contestant<'_>> {
    None
}

/// `embedding_loss::gradient`, flattened.
pub(crate) fn graph_embedding<const K: usize>(_x: &[[f64; K]; 10]) -> Option<Contestant<'_>> {
    None
}

/// The Hessian of `embedding_loss`, row by row, with at least eight directions at once through `pullback`.
pub(crate) fn graph_embedding_hessian<const K: usize>(_x: &[[f64; K]; 10]) -> Option<Contestant<'_>> {
    None
}

/// `bessel_j::gradient`.
pub(crate) fn bessel(_nu: u32, _z: &f64) -> Option<Contestant<'_>> {
    None
}

/// `sparse_dot::pullback`: the adjoints of all values of `a`, then of all of `b`, for the adjoint 1 of the result.
pub(crate) fn sparse_dot<'a>(_a: &'a Csc<f64>, _b: &'a Csc<f64>) -> Option<Contestant<'a>> {
    None
}

/// `sparse_dot_of_matches::pullback`.
pub(crate) fn sparse_dot_of_matches<'a>(_a: &'a Csc<f64>, _b: &'a Csc<f64>) -> Option<Contestant<'a>> {
    None
}

/// `solar_system`, then its `pullback`, with the adjoint 1 at the first coordinate of the Earth: the adjoints of all
/// positions, velocities and masses.
pub(crate) fn solar_system<'a>(_dt: f64, _steps: usize) -> Option<Contestant<'a>> {
    None
}
