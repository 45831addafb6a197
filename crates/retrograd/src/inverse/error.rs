//! Why a Jacobian has no inverse, or a system no solution that was found.

use std::fmt;
use std::panic::Location;

use crate::numbers::{Node, OtherBranch};

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
    /// An operation loses a direction at this point, so that the Jacobian is singular here; or its value is infinite or NaN, so that there is
    /// no Jacobian.
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
        /// The values, in the order of the run.
        cut: Vec<Value>,
    },
    /// At the new point the program decides otherwise.
    OtherBranch(OtherBranch),
    /// Newton's method has not reached its tolerance.
    NotConverged {
        /// How many steps it has made.
        iterations: usize,
        /// The largest difference from the target that is left; infinite, if one is infinite or NaN.
        residual: f64,
        /// Where it stopped.
        x: Vec<f64>,
    },
}

/// A value of a run: one node of its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Value {
    /// The node in the graph.
    pub node: usize,
    /// What it does; `"input"` for an input.
    pub operation: &'static str,
    /// Where it is written.
    pub location: &'static Location<'static>,
}

impl Value {
    pub(super) fn new(nodes: &[Node], node: usize) -> Value {
        Value { node, operation: nodes[node].operation(), location: nodes[node].location() }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.operation {
            // The inputs are the first nodes.
            "input" => write!(f, "input {}", self.node),
            operation => write!(f, "`{operation}` at {}", self.location),
        }
    }
}

impl Error {
    /// That a node cannot be inverted.
    pub(super) fn singular(nodes: &[Node], node: usize) -> Error {
        let Value { operation, location, .. } = Value::new(nodes, node);
        Error::Singular { node, operation, value: nodes[node].value(), location }
    }

    /// An error if one of these nodes is infinite or NaN: where a program has no value, it has no derivatives.
    pub(super) fn unless_finite(nodes: &[Node], mut of: impl Iterator<Item = usize>) -> Result<(), Error> {
        of.find(|&node| !nodes[node].value().is_finite()).map_or(Ok(()), |node| Err(Error::singular(nodes, node)))
    }
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
            Error::Singular { node, operation, value, location } if !value.is_finite() => {
                let value_of = Value { node: *node, operation, location };
                write!(f, "there is no Jacobian here: {value_of} has the value {value}")
            }
            Error::Singular { node, operation, value, location } => write!(
                f,
                "the Jacobian is singular here: node {node}, `{operation}` with the value {value} at {location}, loses what its \
                 operand adds to it"
            ),
            Error::StructurallySingular { rank, cut } => {
                let named = cut.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
                match cut.len() {
                    0 => write!(f, "the Jacobian has rank 0 at every point: no output depends on an input"),
                    _ => write!(
                        f,
                        "the Jacobian has at most rank {rank} at every point: all outputs are functions of {named}"
                    ),
                }
            }
            Error::OtherBranch(branch) => branch.fmt(f),
            Error::NotConverged { iterations, residual, .. } if !residual.is_finite() => write!(
                f,
                "Newton's method has stopped after {iterations} iterations: a value there, or the target, is infinite or NaN"
            ),
            Error::NotConverged { iterations, residual, .. } => write!(
                f,
                "Newton's method has not converged after {iterations} iterations: the residual is {residual:e}; begin nearer to the \
                 solution, allow more iterations, or a larger tolerance"
            ),
        }
    }
}
