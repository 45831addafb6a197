//! Why a Jacobian has no inverse, or a system no solution that was found.

use std::fmt;
use std::panic::Location;

use crate::numbers::OtherBranch;

/// What keeps inverse modes from giving an answer.
///
/// ```
/// use retrograd::inverse::Error;
/// use retrograd::{Real, trace};
///
/// let error = trace(&[1.0, 2.0], |x| x[0] + x[1]).inverse().unwrap_err();
/// assert_eq!(error, Error::NotSquare { inputs: 2, outputs: 1 });
///
/// let modes = trace(&[0.0, 1.0], |x| [x[0].square(), x[1]]).inverse()?;
/// let error = modes.solve(&[1.0, 1.0]).unwrap_err();
/// assert!(matches!(error, Error::Singular { node: 2, operation: "square", .. }));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// There are not as many outputs as inputs.
    NotSquare {
        /// How many inputs the program has.
        inputs: usize,
        /// How many outputs it has.
        outputs: usize,
    },
    /// An operation loses a direction at this point, so that the Jacobian is singular here.
    Singular {
        /// The node of the graph that cannot be inverted.
        node: usize,
        /// What it does.
        operation: &'static str,
        /// Its value.
        value: f64,
        /// Where it is written.
        location: &'static Location<'static>,
    },
    /// All outputs are functions of fewer values than there are inputs, so that the Jacobian is singular everywhere.
    StructurallySingular {
        /// How many values these are.
        rank: usize,
        /// Their nodes in the graph.
        cut: Vec<usize>,
    },
    /// At the new point the program decides otherwise.
    OtherBranch(OtherBranch),
    /// Newton's method has not reached its tolerance.
    NotConverged {
        /// How many steps it has made.
        iterations: usize,
        /// The largest difference from the target that is left.
        residual: f64,
        /// Where it stopped.
        x: Vec<f64>,
    },
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotSquare { inputs, outputs } => {
                write!(
                    f,
                    "a program with {inputs} inputs and {outputs} outputs has no inverse Jacobian; both have to be as many"
                )
            }
            Error::Singular { node, operation, value, location } => write!(
                f,
                "the Jacobian is singular here: node {node}, `{operation}` with the value {value} at {location}, loses what its \
                 operand adds to it"
            ),
            Error::StructurallySingular { rank, cut } => {
                let named = cut.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
                match cut.len() {
                    0 => write!(f, "the Jacobian has rank 0 at every point: no output depends on an input"),
                    _ => write!(
                        f,
                        "the Jacobian has at most rank {rank} at every point: all outputs are functions of these {rank} nodes: {named}"
                    ),
                }
            }
            Error::OtherBranch(branch) => branch.fmt(f),
            Error::NotConverged { iterations, residual, .. } => write!(
                f,
                "Newton's method has not converged after {iterations} iterations: the residual is {residual:e}; begin nearer to the \
                 solution, allow more iterations, or a larger tolerance"
            ),
        }
    }
}
