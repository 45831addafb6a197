//! num-dual: numbers that carry derivatives forwards.
//!
//! One direction at a time: here its numbers with many directions at once are slower, for the same derivatives.

use num_dual::{Dual64, DualNum, HyperDual64};

use super::{bodies_inputs, mixture_inputs, mixture_objective, points, way_of_the_earth};
use crate::programs::solar_system::Bodies;
use crate::yardsticks::data::Mixture;
use crate::yardsticks::graph_embedding as plain_graph;
use crate::yardsticks::{Number, bessel as plain_bessel, bundle_adjustment as plain_bundle};

macro_rules! number {
    ($type:ty) => {
        impl Number for $type {
            #[inline(always)]
            fn constant(value: f64) -> Self {
                Self::from(value)
            }
            #[inline(always)]
            fn value(self) -> f64 {
                self.re
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                DualNum::sqrt(&self)
            }
            #[inline(always)]
            fn exp(self) -> Self {
                DualNum::exp(&self)
            }
            #[inline(always)]
            fn ln(self) -> Self {
                DualNum::ln(&self)
            }
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                DualNum::sin_cos(&self)
            }
        }
    };
}

number!(Dual64);
number!(HyperDual64);

/// The derivatives of a function by all of its inputs.
fn gradient(inputs: &[f64], function: impl Fn(&[Dual64]) -> Dual64) -> Vec<f64> {
    let mut numbers: Vec<Dual64> = inputs.iter().map(|&x| Dual64::from(x)).collect();
    (0..inputs.len())
        .map(|i| {
            numbers[i].eps = 1.0;
            let derivative = function(&numbers).eps;
            numbers[i].eps = 0.0;
            derivative
        })
        .collect()
}

/// Both rows of the Jacobian.
pub fn bundle_adjustment(camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2]) -> [[f64; 15]; 2] {
    let columns: [[Dual64; 2]; 15] = std::array::from_fn(|i| {
        let variable = |x: f64, j: usize| Dual64::new(x, if i == j { 1.0 } else { 0.0 });
        let camera = std::array::from_fn(|j| variable(camera[j], j));
        let point = std::array::from_fn(|j| variable(point[j], 11 + j));
        plain_bundle::residual(&camera, &point, variable(weight, 14), feature)
    });
    std::array::from_fn(|row| columns.map(|column| column[row].eps))
}

/// The gradient of the objective.
pub fn gaussian_mixture<const D: usize, const F: usize, const K: usize>(mixture: &Mixture<D, F, K>) -> Vec<f64> {
    gradient(&mixture_inputs(mixture), |parameters| mixture_objective(mixture, parameters))
}

/// The gradient of the loss.
pub fn graph_embedding<const K: usize>(x: &[[f64; K]; 10]) -> Vec<f64> {
    gradient(x.as_flattened(), |x| plain_graph::loss(points::<_, K>(x)))
}

/// The Hessian of the loss, row by row.
pub fn graph_embedding_hessian<const K: usize>(x: &[[f64; K]; 10]) -> Vec<f64> {
    let n = 10 * K;
    let mut numbers: Vec<HyperDual64> = x.as_flattened().iter().map(|&x| HyperDual64::from(x)).collect();
    let mut rows = vec![0.0; n * n];
    for i in 0..n {
        numbers[i].eps1 = 1.0;
        for j in 0..=i {
            numbers[j].eps2 = 1.0;
            let second = plain_graph::loss(points::<_, K>(&numbers)).eps1eps2;
            (rows[n * i + j], rows[n * j + i]) = (second, second);
            numbers[j].eps2 = 0.0;
        }
        numbers[i].eps1 = 0.0;
    }
    rows
}

/// The derivative of the Bessel function.
pub fn bessel(nu: u32, z: f64) -> f64 {
    plain_bessel::bessel_j(nu, Dual64::new(z, 1.0)).eps
}

/// The gradient of where the third body is.
pub fn solar_system<const B: usize>(bodies: &Bodies<B>, dt: f64, steps: usize) -> Vec<f64> {
    gradient(&bodies_inputs(bodies), |inputs| way_of_the_earth::<_, B>(inputs, dt, steps))
}
