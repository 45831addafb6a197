//! Derivatives of the solution of a system with respect to its parameters.

use super::{Error, Modes, Newton, Solution};
use crate::Active;
use crate::numbers::{Graph, Traced, trace};

/// Where a program with parameters has the value that was asked for, and the derivatives of that place.
///
/// It is what [`Newton::implicit`] finds: x with F(x, p) = y. With A = ∂F/∂x and B = ∂F/∂p there, the implicit function theorem says
/// ẋ = A⁻¹(ẏ − Bṗ). The steps that led there do not matter, and are not differentiated.
///
/// ```
/// use retrograd::Real;
/// use retrograd::inverse::Newton;
///
/// // x² = p has the solution √p.
/// let root = Newton::new().implicit(|x, p| [x[0].square() - p[0]], &[1.0], &[9.0], &[0.0])?;
/// assert!((root.solution().x[0] - 3.0).abs() < 1e-12);
/// let (by_parameters, by_target) = root.pullback(&[1.0])?;
/// assert!((by_parameters[0] - 1.0 / 6.0).abs() < 1e-12 && (by_target[0] - 1.0 / 6.0).abs() < 1e-12);
/// # Ok::<(), retrograd::inverse::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Implicit {
    solution: Solution,
    /// With respect to x, the parameters held fixed.
    modes: Modes,
    /// With respect to x and the parameters.
    graph: Graph,
}

impl Newton {
    /// Finds x with `program(x, parameters) = target`, and prepares the derivatives of x with respect to both.
    ///
    /// Panics if `target` does not have one number for each output.
    #[track_caller]
    pub fn implicit<R: Active<Number = Traced>>(
        self,
        program: impl Fn(&[Traced], &[Traced]) -> R,
        start: &[f64],
        parameters: &[f64],
        target: &[f64],
    ) -> Result<Implicit, Error> {
        let fixed: Vec<Traced> = parameters.iter().copied().map(Traced::constant).collect();
        let solution = self.solve(|x| program(x, &fixed), start, target)?;
        let modes = trace(&solution.x, |x| program(x, &fixed)).inverse()?;
        let graph = trace(&[&solution.x, parameters].concat(), |all| {
            let (x, parameters) = all.split_at(start.len());
            program(x, parameters)
        });
        Ok(Implicit { solution, modes, graph })
    }
}

impl Implicit {
    /// Where the program has its target.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// From an adjoint of the solution, such as the gradient of a loss there, to those of the parameters and of the target:
    /// ȳ = A⁻ᵀx̄ and p̄ = −Bᵀȳ. A loss that reads the parameters itself adds its own part.
    ///
    /// Fails if the Jacobian is singular at the solution.
    #[track_caller]
    pub fn pullback(&self, adjoint: &[f64]) -> Result<(Vec<f64>, Vec<f64>), Error> {
        let by_target = self.modes.solve_transposed(adjoint)?;
        let all = self.graph.pullback(&by_target);
        let by_parameters = all[self.solution.x.len()..].iter().map(|adjoint| -adjoint).collect();
        Ok((by_parameters, by_target))
    }

    /// From tangents of the parameters and of the target to that of the solution: ẋ = A⁻¹(ẏ − Bṗ).
    ///
    /// Fails if the Jacobian is singular at the solution.
    #[track_caller]
    pub fn pushforward(&self, parameters: &[f64], target: &[f64]) -> Result<Vec<f64>, Error> {
        let still = vec![0.0; self.solution.x.len()];
        let moved = self.graph.pushforward(&[&still, parameters].concat());
        assert!(
            target.len() == moved.len(),
            "a tangent of {} numbers is given for a target of {}",
            target.len(),
            moved.len()
        );
        let left: Vec<f64> = target.iter().zip(moved).map(|(target, moved)| target - moved).collect();
        self.modes.solve(&left)
    }
}
