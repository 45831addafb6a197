//! easy-ml: a tape that is run backwards.

use easy_ml::differentiation::{Record, WengertList};
use easy_ml::numeric::extra::{Cos, Exp, Ln, Sin, Sqrt};

use super::{bodies_inputs, mixture_inputs, mixture_objective, points, rotated, way_of_the_earth};
use crate::programs::solar_system::Bodies;
use crate::programs::sparse_dot::Csc;
use crate::yardsticks::data::Mixture;
use crate::yardsticks::{Number, bessel as plain_bessel, bundle_adjustment as plain_bundle};
use crate::yardsticks::{graph_embedding as plain_graph, sparse_dot as plain_sparse};

impl Number for Record<'_, f64> {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Record::constant(value)
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self.number
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Sqrt::sqrt(self)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        Exp::exp(self)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        Ln::ln(self)
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        (Sin::sin(self), Cos::cos(self))
    }
}

/// The gradients of some functions of the same numbers: one tape, run backwards for each.
fn gradients<const M: usize>(
    inputs: &[f64],
    functions: impl for<'a> Fn(&[Record<'a, f64>]) -> [Record<'a, f64>; M],
) -> [Vec<f64>; M] {
    let tape = WengertList::new();
    let inputs: Vec<Record<f64>> = inputs.iter().map(|&x| tape.variable(x)).collect();
    functions(&inputs).map(|result| {
        // Variables stand first on the tape.
        let mut derivatives = Vec::from(result.derivatives());
        derivatives.truncate(inputs.len());
        derivatives
    })
}

/// Both rows of the Jacobian.
pub fn bundle_adjustment(camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2]) -> [[f64; 15]; 2] {
    let inputs = [&camera[..], point, &[weight]].concat();
    let rows = gradients(&inputs, |x| {
        let (camera, point) = (x[..11].try_into().expect("11 numbers"), x[11..14].try_into().expect("3 numbers"));
        plain_bundle::residual(camera, point, x[14], feature)
    });
    rows.map(|row| row.try_into().expect("15 numbers"))
}

/// The gradient of the objective.
pub fn gaussian_mixture<const D: usize, const F: usize, const K: usize>(mixture: &Mixture<D, F, K>) -> Vec<f64> {
    let [g] = gradients(&mixture_inputs(mixture), |parameters| [mixture_objective(mixture, parameters)]);
    g
}

/// The gradient of the loss.
pub fn graph_embedding<const K: usize>(x: &[[f64; K]; 10]) -> Vec<f64> {
    let [g] = gradients(x.as_flattened(), |x| [plain_graph::loss(points::<_, K>(x))]);
    g
}

/// The derivative of the Bessel function.
pub fn bessel(nu: u32, z: f64) -> f64 {
    let [g] = gradients(&[z], |z| [plain_bessel::bessel_j(nu, z[0])]);
    g[0]
}

/// The gradient of the dot product.
pub fn sparse_dot(a: &Csc<f64>, b: &Csc<f64>) -> Vec<f64> {
    let [g] = gradients(&[&a.values[..], &b.values].concat(), |values| {
        let (a_values, b_values) = values.split_at(a.values.len());
        [plain_sparse::sparse_dot(a, a_values, b, b_values)]
    });
    g
}

/// The gradient of where the third body is.
pub fn solar_system<const B: usize>(bodies: &Bodies<B>, dt: f64, steps: usize) -> Vec<f64> {
    let [g] = gradients(&bodies_inputs(bodies), |inputs| [way_of_the_earth::<_, B>(inputs, dt, steps)]);
    g
}

/// The gradient of the first number after so many rotations.
pub fn rotations(x: &[f64], theta: &[f64], steps: usize) -> Vec<f64> {
    let [g] = gradients(&[x, theta].concat(), |inputs| [rotated(inputs, x.len(), steps)]);
    g
}
