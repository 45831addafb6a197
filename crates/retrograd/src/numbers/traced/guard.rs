//! What a program has seen of its numbers: comparisons, roundings, values that were taken out.

use std::fmt;
use std::panic::Location;

use super::node::Operands;

/// A program would decide otherwise at the point that its [`Graph`](super::Graph) is taken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtherBranch {
    /// Where it decides.
    pub location: &'static Location<'static>,
}

impl std::error::Error for OtherBranch {}

impl fmt::Display for OtherBranch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let location = self.location;
        write!(f, "at the new point the program decides otherwise at {location}; record it again there, with `trace`")
    }
}

/// Something that a run has decided by the values of traced numbers. Where it comes out otherwise, the program would compute something else,
/// and its graph does not hold.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    operands: Operands,
    seen: fn([f64; 2]) -> f64,
    result: f64,
    location: &'static Location<'static>,
}

impl Guard {
    #[track_caller]
    pub(super) fn new(operands: Operands, seen: fn([f64; 2]) -> f64, result: f64) -> Guard {
        Guard { operands, seen, result, location: Location::caller() }
    }

    /// Whether it comes out the same where the nodes have other values.
    pub(super) fn holds(&self, values: impl Fn(usize) -> f64) -> bool {
        let [a, b, _] = self.operands.at(values);
        (self.seen)([a, b]).to_bits() == self.result.to_bits()
    }

    pub(super) fn location(&self) -> &'static Location<'static> {
        self.location
    }
}
