//! A prior that keeps inverse covariances from growing and from vanishing.

use std::f64::consts::{LN_2, PI, TAU};

use retrograd::Real;

/// The Wishart prior on the inverse covariances.
///
/// ```
/// use lab_corpus::programs::gaussian_mixture::Wishart;
///
/// // In one dimension, with m = 0: for the point ½·ln(2π), and for the component ln(γ²/2) − ln Γ(1).
/// let constant: f64 = Wishart { gamma: 3.0, m: 0 }.constant(1, 1, 1);
/// assert!((constant + 0.5 * std::f64::consts::TAU.ln() + 4.5_f64.ln()).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wishart {
    /// The scale of the inverse covariances.
    pub gamma: f64,
    /// How many degrees of freedom there are more than needed.
    pub m: u32,
}

impl Wishart {
    /// The factor of the squares of all elements of Q.
    pub(crate) fn of_squares<T: Real>(&self) -> T {
        T::lit(0.5 * self.gamma * self.gamma)
    }

    /// The factor of the logarithms of the diagonal of Q.
    pub(crate) fn of_logarithms<T: Real>(&self) -> T {
        T::from_int(self.m)
    }

    /// The part of the objective that depends on nothing but the numbers of points, dimensions and components.
    pub fn constant<T: Real>(&self, points: usize, dimensions: usize, components: usize) -> T {
        let (n, d, k) = (points as f64, dimensions as f64, components as f64);
        let freedom = dimensions + self.m as usize + 1;
        let ln_gammas: f64 = (0..dimensions).map(|i| ln_gamma_of_half(freedom - i)).sum();
        let per_component =
            freedom as f64 * d * (self.gamma.ln() - 0.5 * LN_2) - 0.25 * d * (d - 1.0) * PI.ln() - ln_gammas;
        T::lit(-0.5 * n * d * TAU.ln() - k * per_component)
    }
}

/// ln Γ(n/2), by Γ(x + 1) = x·Γ(x) from Γ(1) = 1 or Γ(1/2) = √π on.
fn ln_gamma_of_half(n: usize) -> f64 {
    let first = if n.is_multiple_of(2) { 0.0 } else { 0.5 * PI.ln() };
    first + (1..n - 1).rev().step_by(2).map(|twice| (0.5 * twice as f64).ln()).sum::<f64>()
}
