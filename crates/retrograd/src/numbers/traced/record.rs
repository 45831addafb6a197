//! The graphs that are being recorded on this thread.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Traced;
use super::graph::{Graph, Node};
use crate::record::recordable_fields;

/// Which node of which trace.
#[derive(Clone, Copy)]
pub(super) struct Place {
    trace: u64,
    pub(super) node: u32,
}

recordable_fields! {
    () Place { trace, node };
}

// Unique in the process, so that a number that comes from another thread is never taken for one of ours.
static TRACES: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The traces that are under way, the innermost last.
    static OPEN: RefCell<Vec<(u64, Vec<Node>)>> = const { RefCell::new(Vec::new()) };
}

/// A trace that is under way; it ends with this value, also when the program panics.
pub(super) struct Recording {
    trace: u64,
}

impl Recording {
    /// Starts a trace whose first nodes are the inputs `x`.
    pub(super) fn start(x: &[f64]) -> Recording {
        let trace = TRACES.fetch_add(1, Ordering::Relaxed);
        let nodes = x.iter().map(|&value| Node::input(value)).collect();
        OPEN.with_borrow_mut(|open| open.push((trace, nodes)));
        Recording { trace }
    }

    /// The place of a node.
    pub(super) fn place(&self, node: usize) -> Place {
        Place { trace: self.trace, node: index(node) }
    }

    /// Ends the trace.
    pub(super) fn finish(self, inputs: usize, outputs: Vec<Traced>) -> Graph {
        for place in outputs.iter().filter_map(|output| output.place) {
            if place.trace != self.trace {
                misplaced(place.trace, "is the result of another trace");
            }
        }
        let nodes = OPEN.with_borrow_mut(|open| match open.iter_mut().find(|(trace, _)| *trace == self.trace) {
            Some((_, nodes)) => std::mem::take(nodes),
            None => unreachable!("a trace is open until its recording is dropped"),
        });
        Graph::new(nodes, inputs, outputs.into_iter().map(|output| (output.value, output.node())).collect())
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        OPEN.with_borrow_mut(|open| open.retain(|(trace, _)| *trace != self.trace));
    }
}

/// The derivatives of an operation with two operands at its operands: a, b; then aa, ab, bb.
#[derive(Clone, Copy, Default)]
pub(super) struct Local {
    pub(super) first: [f64; 2],
    pub(super) second: [f64; 3],
}

/// Records an operation with one or two operands, and gives its result. An operand that is constant is no parent.
pub(super) fn record(operation: Operation, value: f64, a: Traced, b: Traced, local: Local) -> Traced {
    let Operation { name, curved } = operation;
    let Local { first: [da, db], second: [daa, dab, dbb] } = local;
    let (trace, node) = match (a.place, b.place) {
        (None, None) => return Traced::constant(value),
        (Some(a), None) => (a.trace, Node::unary(name, value, a.node, da, (curved[0], daa))),
        (None, Some(b)) => (b.trace, Node::unary(name, value, b.node, db, (curved[2], dbb))),
        // x * x has one parent: along it, the change of both operands is the same.
        (Some(a), Some(b)) if a.trace == b.trace && a.node == b.node => {
            let curvature = (curved.contains(&true), daa + 2.0 * dab + dbb);
            (a.trace, Node::unary(name, value, a.node, da + db, curvature))
        }
        (Some(a), Some(b)) => {
            if a.trace != b.trace {
                misplaced(a.trace.min(b.trace), "meets a number of another trace");
            }
            (a.trace, Node::binary(name, value, [a.node, b.node], [da, db], curved, [daa, dab, dbb]))
        }
    };
    OPEN.with_borrow_mut(|open| match open.iter_mut().rev().find(|(open, _)| *open == trace) {
        Some((_, nodes)) => {
            let place = Place { trace, node: index(nodes.len()) };
            nodes.push(node);
            Traced { value, place: Some(place) }
        }
        None => misplaced(trace, "is used outside of its trace: it has ended, or runs on another thread"),
    })
}

/// What is done, and which of its second derivatives aa, ab, bb are not zero everywhere.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    pub(super) name: &'static str,
    pub(super) curved: [bool; 3],
}

fn index(node: usize) -> u32 {
    u32::try_from(node).expect("a trace records at most 2³² operations")
}

#[cold]
#[inline(never)]
fn misplaced(trace: u64, how: &str) -> ! {
    panic!(
        "a `Traced` number of trace {trace} {how}; a number that depends on an input belongs to its `trace` call alone"
    )
}
