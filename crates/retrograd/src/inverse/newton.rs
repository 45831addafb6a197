//! Newton's method without a Jacobian matrix.

use super::moving::modes_at;
use super::{Error, Modes};
use crate::Active;
use crate::numbers::{Traced, trace};

/// Where a program has the value that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The arguments.
    pub x: Vec<f64>,
    /// How many steps it took.
    pub iterations: usize,
    /// The largest difference from the target that is left.
    pub residual: f64,
}

/// Finds x with `program(x) = target` by Newton's method, beginning at `start`; [`Newton`] has more to set.
///
/// ```
/// use retrograd::Real;
/// use retrograd::inverse::newton;
///
/// // Where the circle of radius 2 meets the hyperbola x y = 1.
/// let solution = newton(|x| [x[0].square() + x[1].square(), x[0] * x[1]], &[2.0, 0.3], &[4.0, 1.0])?;
/// assert!((solution.x[0] * solution.x[1] - 1.0).abs() < 1e-12);
/// assert!(solution.iterations < 8);
/// # Ok::<(), retrograd::inverse::Error>(())
/// ```
#[track_caller]
pub fn newton<R: Active<Number = Traced>>(
    program: impl Fn(&[Traced]) -> R,
    start: &[f64],
    target: &[f64],
) -> Result<Solution, Error> {
    Newton::new().solve(program, start, target)
}

/// Newton's method, and what it may do.
///
/// Each step solves `J d = program(x) - target` in time proportional to that of the program, and halves d until the residual falls.
///
/// ```
/// use retrograd::Real;
/// use retrograd::inverse::Newton;
///
/// // From here, whole steps would run away.
/// let solution = Newton::new().iterations(20).tolerance(1e-9).solve(|x| [x[0].atan()], &[3.0], &[0.0])?;
/// assert!(solution.x[0].abs() < 1e-9);
/// # Ok::<(), retrograd::inverse::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Newton {
    pub(super) tolerance: f64,
    pub(super) iterations: usize,
    pub(super) halvings: usize,
}

impl Default for Newton {
    fn default() -> Newton {
        Newton { tolerance: 1e-12, iterations: 50, halvings: 30 }
    }
}

impl Newton {
    /// With a tolerance of 1e-12, 50 iterations, and 30 halvings of a step.
    pub fn new() -> Newton {
        Newton::default()
    }

    /// How large the residual may be: relative to the largest number in the target where that is above one, and absolute elsewhere.
    pub fn tolerance(self, tolerance: f64) -> Newton {
        Newton { tolerance, ..self }
    }

    /// How many steps may be made.
    pub fn iterations(self, iterations: usize) -> Newton {
        Newton { iterations, ..self }
    }

    /// How often a step may be halved. With 0, all steps are whole ones, whatever becomes of the residual.
    pub fn damping(self, halvings: usize) -> Newton {
        Newton { halvings, ..self }
    }

    /// Finds x with `program(x) = target`. Panics if `target` does not have one number for each output.
    #[track_caller]
    pub fn solve<R: Active<Number = Traced>>(
        self,
        program: impl Fn(&[Traced]) -> R,
        start: &[f64],
        target: &[f64],
    ) -> Result<Solution, Error> {
        let mut x = start.to_vec();
        let mut modes = trace(&x, &program).inverse()?;
        let outputs = modes.graph().values().len();
        assert!(
            target.len() == outputs,
            "a target of {} numbers is given for a program with {outputs} outputs",
            target.len()
        );
        let limit = self.tolerance * target.iter().fold(1.0, |largest: f64, y| largest.max(y.abs()));
        let mut left = Left::new(&modes, target);
        for iterations in 0..self.iterations {
            if left.largest <= limit {
                return Ok(Solution { x, iterations, residual: left.largest });
            }
            let step = modes.solve(&left.vector)?;
            let mut halvings = 0;
            (x, modes, left) = loop {
                let fraction = 0.5_f64.powi(halvings as i32);
                let point: Vec<f64> = x.iter().zip(&step).map(|(x, step)| x - fraction * step).collect();
                let moved = modes_at(&program, &modes, &point).map(|moved| (Left::new(&moved, target), moved));
                match moved {
                    Ok((next, moved)) if self.halvings == 0 || next.largest < left.largest => {
                        break (point, moved, next);
                    }
                    Err(error) if halvings == self.halvings => return Err(error),
                    Ok(_) if halvings == self.halvings => {
                        return Err(Error::NotConverged { iterations, residual: left.largest, x });
                    }
                    Ok(_) | Err(_) => halvings += 1,
                }
            };
        }
        match left.largest <= limit {
            true => Ok(Solution { x, iterations: self.iterations, residual: left.largest }),
            false => Err(Error::NotConverged { iterations: self.iterations, residual: left.largest, x }),
        }
    }
}

/// What is left between a program and its target.
struct Left {
    vector: Vec<f64>,
    largest: f64,
}

impl Left {
    fn new(modes: &Modes, target: &[f64]) -> Left {
        let vector: Vec<f64> = modes.graph().values().iter().zip(target).map(|(y, target)| y - target).collect();
        // What is no number is no solution.
        let largest =
            vector.iter().fold(0.0, |largest: f64, y| if y.is_nan() { f64::INFINITY } else { largest.max(y.abs()) });
        Left { vector, largest }
    }
}
