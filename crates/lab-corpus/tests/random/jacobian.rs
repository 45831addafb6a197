//! Jacobians column by column, and which inputs are fit for comparing derivatives.

use retrograd::Dual;

use super::state::{Floats, NUMBERS, State};

/// A number with its derivatives in two directions.
pub(crate) type Number = Dual<f64, 2>;

/// How the outputs move with the inputs: one row for each output, one column for each float of the state.
#[derive(Clone, Debug)]
pub(crate) struct Jacobian(Vec<[f64; NUMBERS]>);

impl Jacobian {
    /// Two columns in each run of the plain program on dual numbers.
    pub(crate) fn by_duals(state: &State<f64>, run: impl Fn(State<Number>) -> Vec<Number>) -> Self {
        let mut rows = Vec::new();
        for first in (0..NUMBERS).step_by(2) {
            let seed = |i, x| if i / 2 == first / 2 { Dual::variable(x, i % 2) } else { Dual::constant(x) };
            let outputs = run(state.map(seed, Dual::constant));
            rows.resize(outputs.len(), [0.0; NUMBERS]);
            for (row, output) in rows.iter_mut().zip(outputs) {
                [row[first], row[first + 1]] = output.eps;
            }
        }
        Jacobian(rows)
    }

    /// One column in each run with tangents, for a program that does not run on dual numbers.
    pub(crate) fn by_tangents(run: impl Fn(Floats<f64>) -> Vec<f64>) -> Self {
        let mut rows = Vec::new();
        for column in 0..NUMBERS {
            let outputs = run(Floats::of(&std::array::from_fn(|i| if i == column { 1.0 } else { 0.0 })));
            rows.resize(outputs.len(), [0.0; NUMBERS]);
            for (row, output) in rows.iter_mut().zip(outputs) {
                row[column] = output;
            }
        }
        Jacobian(rows)
    }

    /// `J t`
    pub(crate) fn times(&self, tangent: &Floats<f64>) -> Vec<f64> {
        let tangent = tangent.numbers();
        self.0.iter().map(|row| row.iter().zip(tangent).map(|(d, t)| d * t).sum()).collect()
    }

    /// `Jᵀ g`
    pub(crate) fn transposed_times(&self, adjoint: &[f64]) -> Vec<f64> {
        (0..NUMBERS).map(|column| self.0.iter().zip(adjoint).map(|(row, g)| row[column] * g).sum()).collect()
    }

    /// The inverse, by elimination with pivots; none if it is so badly conditioned that rounding decides.
    pub(crate) fn inverse(&self) -> Option<Jacobian> {
        let mut rows: Vec<Vec<f64>> = self.0.iter().map(|row| row.to_vec()).collect();
        for (i, row) in rows.iter_mut().enumerate() {
            row.extend((0..NUMBERS).map(|j| if i == j { 1.0 } else { 0.0 }));
        }
        for k in 0..NUMBERS {
            let largest = (k..NUMBERS).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs()))?;
            rows.swap(k, largest);
            let pivot = rows[k][k];
            if pivot == 0.0 {
                return None;
            }
            rows[k].iter_mut().for_each(|x| *x /= pivot);
            let pivots = rows[k].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
                let factor = row[k];
                row.iter_mut().zip(&pivots).for_each(|(x, pivot)| *x -= factor * pivot);
            }
        }
        let right = |row: Vec<f64>| std::array::from_fn(|j| row[NUMBERS + j]);
        let inverse = Jacobian(rows.into_iter().map(right).collect());
        (self.norm() * inverse.norm() <= 1e6).then_some(inverse)
    }

    /// The largest sum of magnitudes in a row.
    pub(crate) fn norm(&self) -> f64 {
        let norm = |row: &[f64; NUMBERS]| row.iter().map(|d| d.abs()).sum::<f64>();
        self.0.iter().map(norm).fold(0.0, |largest, norm| if norm > largest || norm.is_nan() { norm } else { largest })
    }

    /// Whether all derivatives exist, and are nearly those of a neighbour.
    pub(crate) fn is_like(&self, neighbour: &Jacobian) -> bool {
        let largest = 1.0 + self.norm();
        let pairs = self.0.iter().flatten().zip(neighbour.0.iter().flatten());
        largest.is_finite() && pairs.into_iter().all(|(a, b)| (a - b).abs() <= 1e-4 * largest)
    }
}

/// A state so close that only a kink, a jump or a very steep slope in between can tell.
pub(crate) fn nudged(state: &State<f64>) -> State<f64> {
    let nudge = |i: usize| if (i * i).is_multiple_of(3) { 1e-9 } else { -1e-9 };
    state.map(|i, x| x + nudge(i) * (1.0 + x.abs()), |w| w)
}
