//! Products with the inverse of a Hessian, which is never formed.

use std::fmt;

use super::Error;
use super::coupled::Factors;
use crate::numbers::Graph;

/// Products with the inverse of the Hessian H of a recorded program with one output.
///
/// ```
/// use retrograd::trace;
///
/// // H = [[2, 1], [1, 2]] at every point.
/// let graph = trace(&[3.0, 4.0], |x| x[0] * x[0] + x[0] * x[1] + x[1] * x[1]);
/// let found = graph.inverse_hessian()?.solve(&[3.0, 3.0]);
/// assert!((found[0] - 1.0).abs() < 1e-15 && (found[1] - 1.0).abs() < 1e-15);
/// # Ok::<(), retrograd::inverse::Error>(())
/// ```
///
/// This is inverse accumulation over reverse mode. The tangents of all values and those of all adjoints satisfy one equation for each
/// operation of the run and one for each of the reverse sweep; the tangents of the adjoints of the inputs are given, and those of the
/// inputs asked for. A value that is read in the run is read again in the reverse sweep, so that hardly any cut separates the two:
/// where the variables of a program are connected, its symmetric Hessian is one lump, or nearly so. What is left to gain is sparsity. The
/// equations are factorised as they are, and a dense Hessian of few operations, such as that of `(x₀ + .. + xₙ)²`, never becomes a
/// matrix.
#[derive(Clone)]
pub struct InverseHessian {
    inputs: usize,
    equations: usize,
    factors: Factors,
}

impl Graph {
    /// Prepares products with the inverse of the Hessian of the only output at this point. Panics if there is not exactly one output.
    ///
    /// Fails if the Hessian is singular, or a value is infinite or NaN.
    #[track_caller]
    pub fn inverse_hessian(&self) -> Result<InverseHessian, Error> {
        self.shifted_inverse_hessian(0.0)
    }

    /// The same for H + `shift` I.
    #[track_caller]
    pub(super) fn shifted_inverse_hessian(&self, shift: f64) -> Result<InverseHessian, Error> {
        self.only_output();
        let (n, nodes) = (self.inputs(), self.nodes());
        let adjoints = self.sweep_back(&[1.0]);
        // What the output does not depend on takes no part, unless it is an input.
        let alive: Vec<usize> = (0..nodes.len()).filter(|&i| i < n || adjoints[i].is_some()).collect();
        Error::unless_finite(nodes, alive.iter().copied())?;
        let mut number = vec![0; nodes.len()];
        alive.iter().enumerate().for_each(|(k, &node)| number[node] = k);
        // Unknowns: the tangents of all values, then those of the adjoints of all but the inputs. Equations: of the adjoint of each value,
        // then of each value but the inputs.
        let count = alive.len();
        let of_adjoint = |k: usize| (k >= n).then(|| count + k - n);
        let mut entries: Vec<(usize, usize, f64)> = Vec::new();
        if shift != 0.0 {
            entries.extend((0..n).map(|i| (i, i, shift)));
        }
        for (k, &node) in alive.iter().enumerate() {
            let Some(unknown) = of_adjoint(k) else { continue };
            entries.extend([(k, unknown, -1.0), (unknown, k, 1.0)]);
            for (parent, partial) in nodes[node].partials() {
                entries.extend([(number[parent], unknown, partial), (unknown, number[parent], -partial)]);
            }
            let adjoint = adjoints[node].unwrap_or_default();
            for (a, b, second) in nodes[node].second_partials() {
                entries.push((number[a], number[b], adjoint * second));
                if a != b {
                    entries.push((number[b], number[a], adjoint * second));
                }
            }
        }
        let equations = 2 * count - n;
        let factors = Factors::new(equations, &entries).map_err(|unknown| {
            let node = alive[if unknown < count { unknown } else { unknown - count + n }];
            Error::singular(nodes, node)
        })?;
        Ok(InverseHessian { inputs: n, equations, factors })
    }
}

impl InverseHessian {
    /// `H⁻¹ v`.
    #[track_caller]
    pub fn solve(&self, v: &[f64]) -> Vec<f64> {
        let n = self.inputs;
        assert!(v.len() == n, "a vector of {} numbers is given for a Hessian with {n} rows and columns", v.len());
        let mut column = vec![0.0; self.equations];
        column[..n].copy_from_slice(v);
        self.factors.solve(&mut column);
        column.truncate(n);
        column
    }
}

/// How large the Hessian is.
impl fmt::Debug for InverseHessian {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InverseHessian").field("inputs", &self.inputs).finish_non_exhaustive()
    }
}
