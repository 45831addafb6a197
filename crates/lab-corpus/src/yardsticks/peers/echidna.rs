//! echidna: a tape that is run backwards, and numbers that carry derivatives forwards.

use echidna::{BReverse64, BytecodeTape, DualVec64, Reverse64, Scalar, grad, hessian_vec, record};

use super::{bodies_inputs, mixture_inputs, mixture_objective, points, rotated, way_of_the_earth};
use crate::programs::solar_system::Bodies;
use crate::programs::sparse_dot::Csc;
use crate::yardsticks::data::Mixture;
use crate::yardsticks::{Number, bessel as plain_bessel, bundle_adjustment as plain_bundle};
use crate::yardsticks::{graph_embedding as plain_graph, sparse_dot as plain_sparse};

macro_rules! number {
    ($type:ty $(, $n:ident)?) => {
        impl $(<const $n: usize>)? Number for $type {
            #[inline(always)]
            fn constant(value: f64) -> Self {
                Self::from(value)
            }
            #[inline(always)]
            fn value(self) -> f64 {
                Scalar::value(&self)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                elementary::sqrt(self)
            }
            #[inline(always)]
            fn exp(self) -> Self {
                elementary::exp(self)
            }
            #[inline(always)]
            fn ln(self) -> Self {
                elementary::ln(self)
            }
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                elementary::sin_cos(self)
            }
        }
    };
}

/// The methods that all numbers of echidna have, under names of our own.
mod elementary {
    use echidna::Scalar;

    #[inline(always)]
    pub(super) fn sqrt<S: Scalar>(x: S) -> S {
        x.sqrt()
    }
    #[inline(always)]
    pub(super) fn exp<S: Scalar>(x: S) -> S {
        x.exp()
    }
    #[inline(always)]
    pub(super) fn ln<S: Scalar>(x: S) -> S {
        x.ln()
    }
    #[inline(always)]
    pub(super) fn sin_cos<S: Scalar>(x: S) -> (S, S) {
        x.sin_cos()
    }
}

number!(Reverse64);
number!(BReverse64);
number!(DualVec64<N>, N);

/// Both rows of the Jacobian, forwards: 15 directions at once.
pub fn bundle_adjustment(camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2]) -> [[f64; 15]; 2] {
    let camera: [DualVec64<15>; 11] = std::array::from_fn(|i| DualVec64::with_tangent(camera[i], i));
    let point: [DualVec64<15>; 3] = std::array::from_fn(|i| DualVec64::with_tangent(point[i], 11 + i));
    plain_bundle::residual(&camera, &point, DualVec64::with_tangent(weight, 14), feature).map(|error| error.eps)
}

/// The gradient of the objective.
pub fn gaussian_mixture<const D: usize, const F: usize, const K: usize>(mixture: &Mixture<D, F, K>) -> Vec<f64> {
    grad(|parameters| mixture_objective(mixture, parameters), &mixture_inputs(mixture))
}

/// The gradient of the loss.
pub fn graph_embedding<const K: usize>(x: &[[f64; K]; 10]) -> Vec<f64> {
    grad(|x| plain_graph::loss(points::<_, K>(x)), x.as_flattened())
}

/// A tape of the loss, which can be run again at other points.
pub fn graph_embedding_tape<const K: usize>(x: &[[f64; K]; 10]) -> BytecodeTape<f64> {
    record(|x| plain_graph::loss(points::<BReverse64, K>(x)), x.as_flattened()).0
}

/// The Hessian of the loss, row by row, with eight directions at once.
pub fn graph_embedding_hessian<const K: usize>(x: &[[f64; K]; 10]) -> Vec<f64> {
    hessian_vec::<f64, 8>(|x| plain_graph::loss(points::<BReverse64, K>(x)), x.as_flattened()).2.concat()
}

/// The derivative of the Bessel function, forwards.
pub fn bessel(nu: u32, z: f64) -> f64 {
    plain_bessel::bessel_j(nu, DualVec64::<1>::with_tangent(z, 0)).eps[0]
}

/// The derivative of the Bessel function, by a tape.
pub fn bessel_by_tape(nu: u32, z: f64) -> f64 {
    grad(|z| plain_bessel::bessel_j(nu, z[0]), &[z])[0]
}

/// The gradient of the dot product.
pub fn sparse_dot(a: &Csc<f64>, b: &Csc<f64>) -> Vec<f64> {
    let product = |values: &[Reverse64]| {
        let (a_values, b_values) = values.split_at(a.values.len());
        plain_sparse::sparse_dot(a, a_values, b, b_values)
    };
    grad(product, &[&a.values[..], &b.values].concat())
}

/// The gradient of where the third body is.
pub fn solar_system<const B: usize>(bodies: &Bodies<B>, dt: f64, steps: usize) -> Vec<f64> {
    grad(|inputs| way_of_the_earth::<_, B>(inputs, dt, steps), &bodies_inputs(bodies))
}

/// The gradient of the first number after so many rotations.
pub fn rotations(x: &[f64], theta: &[f64], steps: usize) -> Vec<f64> {
    grad(|inputs| rotated(inputs, x.len(), steps), &[x, theta].concat())
}
