//! The graphs that are being recorded on this thread.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Traced;
use super::graph::Graph;
use super::guard::Guard;
use super::node::{Node, Operands, Operation};
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
    static OPEN: RefCell<Vec<Open>> = const { RefCell::new(Vec::new()) };
}

struct Open {
    trace: u64,
    nodes: Vec<Node>,
    guards: Vec<Guard>,
}

/// A trace that is under way; it ends with this value, also when the program panics.
pub(super) struct Recording {
    trace: u64,
}

impl Recording {
    /// Starts a trace whose first nodes are the inputs `x`.
    #[track_caller]
    pub(super) fn start(x: &[f64]) -> Recording {
        let trace = TRACES.fetch_add(1, Ordering::Relaxed);
        let mut nodes = Vec::with_capacity(x.len());
        for &value in x {
            nodes.push(Node::input(value));
        }
        OPEN.with_borrow_mut(|open| open.push(Open { trace, nodes, guards: Vec::new() }));
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
        let (nodes, guards) =
            within(self.trace, |open| (std::mem::take(&mut open.nodes), std::mem::take(&mut open.guards)));
        let outputs = outputs.into_iter().map(|output| (output.value, output.node()));
        Graph::new(nodes, guards, inputs, outputs.collect())
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        OPEN.with_borrow_mut(|open| open.retain(|open| open.trace != self.trace));
    }
}

/// Records an operation with one or two operands and a parameter, and gives its result. An operand that is constant is no parent.
#[track_caller]
pub(super) fn record(operation: &'static Operation, a: Traced, b: Traced, parameter: f64) -> Traced {
    record_as(operation, a, b, parameter, None)
}

/// The same for a value that was rounded elsewhere.
#[track_caller]
pub(super) fn record_as(
    operation: &'static Operation,
    a: Traced,
    b: Traced,
    parameter: f64,
    value: Option<f64>,
) -> Traced {
    let values = [a.value, b.value, parameter];
    let Some(trace) = trace_of(a, b) else {
        return Traced::constant(value.unwrap_or_else(|| (operation.jet)(values).value));
    };
    let node = Node::new(operation, Operands::new([a, b].map(node), values));
    let node = match value {
        Some(value) => node.with_value(value),
        None => node,
    };
    within(trace, |open| {
        let place = Place { trace, node: index(open.nodes.len()) };
        let value = node.value();
        open.nodes.push(node);
        Traced { value, place: Some(place) }
    })
}

/// Notes what the program sees of one or two numbers, and by which it may decide what to do.
#[track_caller]
pub(super) fn see(seen: fn([f64; 2]) -> f64, a: Traced, b: Traced) {
    if let Some(trace) = trace_of(a, b) {
        let values = [a.value, b.value, 0.0];
        let guard = Guard::new(Operands::new([a, b].map(node), values), seen, seen([a.value, b.value]));
        within(trace, |open| open.guards.push(guard));
    }
}

fn node(x: Traced) -> Option<u32> {
    x.place.map(|place| place.node)
}

/// The trace that two operands belong to; none for constants.
fn trace_of(a: Traced, b: Traced) -> Option<u64> {
    match (a.place, b.place) {
        (None, None) => None,
        (Some(place), None) | (None, Some(place)) => Some(place.trace),
        (Some(a), Some(b)) if a.trace == b.trace => Some(a.trace),
        (Some(a), Some(b)) => misplaced(a.trace.min(b.trace), "meets a number of another trace"),
    }
}

fn within<R>(trace: u64, act: impl FnOnce(&mut Open) -> R) -> R {
    OPEN.with_borrow_mut(|all| match all.iter_mut().rev().find(|open| open.trace == trace) {
        Some(open) => act(open),
        None => misplaced(trace, "is used outside of its trace: it has ended, or runs on another thread"),
    })
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
