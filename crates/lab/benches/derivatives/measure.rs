//! What is measured here: computations in the columns of one table.

use retrograd::lanes::Instructions;

/// Who computes: a column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// The function itself, without derivatives, in plain Rust.
    Objective,
    /// The derivative that was written by hand.
    Hand,
    /// The derivative that retrograd made.
    Ours,
    /// The same derivative in lanes, with these instructions.
    Lanes(Instructions),
    /// Another crate.
    Peer(&'static str),
}

/// A computation in a column.
pub(crate) type Contestant<'a> = lab::measure::Contestant<'a, Column>;
