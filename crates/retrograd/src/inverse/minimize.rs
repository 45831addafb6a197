//! Minima by Newton's method.

use super::moving::graph_at;
use super::{Error, Newton};
use crate::numbers::{Graph, Traced, trace};

/// Where a program is smallest, as far as its neighbourhood goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimum {
    /// The arguments.
    pub x: Vec<f64>,
    /// The value there.
    pub value: f64,
    /// How many steps it took.
    pub iterations: usize,
    /// The largest number in the gradient that is left.
    pub gradient: f64,
}

/// Finds a minimum by Newton's method, beginning at `start`; [`Newton`] has more to set.
///
/// ```
/// use retrograd::Real;
/// use retrograd::inverse::minimize;
///
/// // The valley of Rosenbrock.
/// let found = minimize(|x| (x[1] - x[0].square()).square() * 100.0 + (x[0] - 1.0).square(), &[-1.2, 1.0])?;
/// assert!((found.x[0] - 1.0).abs() < 1e-9 && (found.x[1] - 1.0).abs() < 1e-9);
/// assert!(found.iterations < 30);
/// # Ok::<(), retrograd::inverse::Error>(())
/// ```
#[track_caller]
pub fn minimize(program: impl Fn(&[Traced]) -> Traced, start: &[f64]) -> Result<Minimum, Error> {
    Newton::new().minimize(program, start)
}

/// How much of what a step promises it has to keep.
const PROMISE: f64 = 1e-4;

/// Powers of ten, times the gradient, that are added to the diagonal of a Hessian that leads uphill.
const SHIFTS: std::ops::Range<i32> = -3..10;

impl Newton {
    /// Finds a minimum of `program`: where no number of its gradient is above the tolerance.
    ///
    /// Each step goes along [H⁻¹g](super::InverseHessian), g being the gradient and H the Hessian. Where that leads uphill, or H is singular,
    /// a multiple of the identity is added to H. The step is halved until the value falls.
    #[track_caller]
    pub fn minimize(self, program: impl Fn(&[Traced]) -> Traced, start: &[f64]) -> Result<Minimum, Error> {
        let mut x = start.to_vec();
        let mut graph = trace(&x, &program);
        let mut iterations = 0;
        loop {
            let gradient = graph.gradient();
            let is_finite = graph.value().is_finite() && gradient.iter().all(|g| g.is_finite());
            let largest = match is_finite {
                true => gradient.iter().fold(0.0, |largest: f64, g| largest.max(g.abs())),
                false => f64::INFINITY,
            };
            if largest <= self.tolerance {
                return Ok(Minimum { x, value: graph.value(), iterations, gradient: largest });
            }
            let next = match is_finite && iterations < self.iterations {
                true => self.descend(&program, &graph, &x, &gradient),
                false => None,
            };
            match next {
                Some(found) => (x, graph) = found,
                None => return Err(Error::NotConverged { iterations, residual: largest, x }),
            }
            iterations += 1;
        }
    }

    /// One step downhill, if there is one.
    fn descend(
        self,
        program: impl Fn(&[Traced]) -> Traced,
        graph: &Graph,
        x: &[f64],
        gradient: &[f64],
    ) -> Option<(Vec<f64>, Graph)> {
        let largest = gradient.iter().fold(0.0, |largest: f64, g| largest.max(g.abs()));
        let shifts = std::iter::once(0.0).chain(SHIFTS.map(|exponent| largest * 10_f64.powi(exponent)));
        let step = shifts.into_iter().find_map(|shift| {
            let step = graph.shifted_inverse_hessian(shift).ok()?.solve(gradient);
            (dot(&step, gradient) > 0.0).then_some(step)
        })?;
        let promised = PROMISE * dot(&step, gradient);
        // Where nothing is left to gain but rounding, the gradient may still fall.
        let rounding = 4.0 * f64::EPSILON * graph.value().abs();
        (0..=self.halvings).find_map(|halvings| {
            let fraction = 0.5_f64.powi(halvings as i32);
            let point: Vec<f64> = x.iter().zip(&step).map(|(x, step)| x - fraction * step).collect();
            let moved = graph_at(&program, graph, &point);
            let is_enough = moved.value() <= graph.value() - fraction * promised + rounding;
            (self.halvings == 0 || is_enough).then_some((point, moved))
        })
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
