//! The same program at another point: recorded again only where it decides otherwise.

use super::{Error, Modes};
use crate::Active;
use crate::numbers::{Graph, Traced, trace};

/// The graph at `x` of the program that `graph` was recorded from.
pub(super) fn graph_at<R: Active<Number = Traced>>(
    program: impl Fn(&[Traced]) -> R,
    graph: &Graph,
    x: &[f64],
) -> Graph {
    graph.at(x).unwrap_or_else(|_| trace(x, program))
}

/// The modes at `x` of the program that `modes` were recorded from.
pub(super) fn modes_at<R: Active<Number = Traced>>(
    program: impl Fn(&[Traced]) -> R,
    modes: &Modes,
    x: &[f64],
) -> Result<Modes, Error> {
    match modes.graph().at(x) {
        Ok(graph) => Ok(modes.with_graph(graph)),
        Err(_) => trace(x, program).inverse(),
    }
}
