//! One operation of a graph: its operands, its value, its derivatives, and how to compute them again elsewhere.

use std::fmt;
use std::panic::Location;

/// Value and derivatives of an operation at its operands a and b: the first derivatives, then those by aa, ab, bb.
#[derive(Clone, Copy, Default)]
pub(super) struct Jet {
    pub(super) value: f64,
    pub(super) first: [f64; 2],
    pub(super) second: [f64; 3],
}

/// What is done, and how to do it.
pub(super) struct Operation {
    pub(super) name: &'static str,
    /// Which of the second derivatives aa, ab, bb are not zero everywhere.
    pub(super) curved: [bool; 3],
    /// At two operands and a parameter that is never traced.
    pub(super) jet: fn([f64; 3]) -> Jet,
}

/// Where the operands of an operation come from: for each the index of its parent, and the values of those that are constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operands {
    parents: [u32; 2],
    arity: u8,
    slots: [Option<Slot>; 2],
    values: [f64; 3],
}

/// Which of the parents an operand is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Slot {
    First,
    Second,
}

impl Operands {
    /// The node of each operand, if it has one, and the values of the operands and of the parameter. An operand that is given
    /// twice is one parent: along it, the change of both is the same.
    pub(super) fn new(nodes: [Option<u32>; 2], values: [f64; 3]) -> Operands {
        let (parents, arity, slots) = match nodes {
            [None, None] => ([0, 0], 0, [None, None]),
            [Some(a), None] => ([a, 0], 1, [Some(Slot::First), None]),
            [None, Some(b)] => ([b, 0], 1, [None, Some(Slot::First)]),
            [Some(a), Some(b)] if a == b => ([a, 0], 1, [Some(Slot::First); 2]),
            [Some(a), Some(b)] => ([a, b], 2, [Some(Slot::First), Some(Slot::Second)]),
        };
        Operands { parents, arity, slots, values }
    }

    /// The values of the operands and of the parameter, where the nodes before have `values`.
    pub(super) fn at(&self, values: impl Fn(usize) -> f64) -> [f64; 3] {
        let operand = |i: usize| match self.slots[i] {
            Some(slot) => values(self.parents[slot as usize] as usize),
            None => self.values[i],
        };
        [operand(0), operand(1), self.values[2]]
    }

    pub(super) fn parents(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        let parents = self.parents;
        (0..self.arity as usize).map(move |i| parents[i] as usize)
    }

    /// What belongs to each operand, collected by parents.
    fn first_by_parents(&self, first: [f64; 2]) -> [f64; 2] {
        let mut by_parents = [0.0; 2];
        for (slot, derivative) in self.slots.iter().zip(first) {
            if let Some(slot) = slot {
                by_parents[*slot as usize] += derivative;
            }
        }
        by_parents
    }

    /// The same for pairs of operands, of which each with itself counts once.
    fn second_by_parents<S: Copy>(&self, second: [S; 3], mut add: impl FnMut(usize, S, f64)) {
        let pairs = [(0, 0), (0, 1), (1, 1)];
        for ((a, b), derivative) in pairs.into_iter().zip(second) {
            match (self.slots[a], self.slots[b]) {
                (Some(Slot::First), Some(Slot::First)) => add(0, derivative, if a == b { 1.0 } else { 2.0 }),
                (Some(Slot::Second), Some(Slot::Second)) => add(2, derivative, 1.0),
                (Some(_), Some(_)) => add(1, derivative, 1.0),
                _ => {}
            }
        }
    }
}

/// One operation of a [`Graph`](super::Graph), or an input.
///
/// ```
/// use retrograd::trace;
///
/// let graph = trace(&[3.0, 4.0], |x| x[0] * x[1]);
/// let product = &graph.nodes()[2];
/// assert_eq!((product.operation(), product.value()), ("*", 12.0));
/// assert_eq!(product.partials().collect::<Vec<_>>(), [(0, 4.0), (1, 3.0)]);
/// ```
#[derive(Clone)]
pub struct Node {
    operation: &'static Operation,
    operands: Operands,
    location: &'static Location<'static>,
    value: f64,
    first: [f64; 2],
    second: [f64; 3],
    /// Which of the second derivatives are not zero everywhere.
    curved: [bool; 3],
}

impl Node {
    #[track_caller]
    pub(super) fn input(value: f64) -> Node {
        static INPUT: Operation =
            Operation { name: "input", curved: [false; 3], jet: |[value, ..]| Jet { value, ..Jet::default() } };
        Node::new(&INPUT, Operands::new([None; 2], [value, 0.0, 0.0]))
    }

    #[track_caller]
    pub(super) fn new(operation: &'static Operation, operands: Operands) -> Node {
        let mut curved = [false; 3];
        operands.second_by_parents(operation.curved, |i, is_curved, _| curved[i] |= is_curved);
        let location = Location::caller();
        let mut node = Node { operation, operands, location, value: 0.0, first: [0.0; 2], second: [0.0; 3], curved };
        node.evaluate(operands.values);
        node
    }

    /// Computes value and derivatives at the values of its operands.
    fn evaluate(&mut self, operands: [f64; 3]) {
        let jet = (self.operation.jet)(operands);
        self.value = jet.value;
        self.first = self.operands.first_by_parents(jet.first);
        self.second = [0.0; 3];
        self.operands.second_by_parents(jet.second, |i, derivative, times| self.second[i] += times * derivative);
    }

    /// The same node where those before it have other values.
    pub(super) fn again(&self, values: impl Fn(usize) -> f64) -> Node {
        let mut node = self.clone();
        node.evaluate(self.operands.at(values));
        node
    }

    /// The node with a value that was rounded elsewhere.
    pub(super) fn with_value(self, value: f64) -> Node {
        Node { value, ..self }
    }

    /// The operator or method that made the node, such as `"*"` or `"sin"`; `"input"` for an input.
    pub fn operation(&self) -> &'static str {
        self.operation.name
    }

    /// The value that was computed.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Where in the source the operation is written; for an input the call of [`trace`](crate::trace).
    ///
    /// ```
    /// use retrograd::trace;
    ///
    /// let graph = trace(&[3.0, 4.0], |x| x[0] * x[1]);
    /// assert_eq!(graph.nodes()[2].location().file(), file!());
    /// ```
    pub fn location(&self) -> &'static Location<'static> {
        self.location
    }

    /// The nodes that the operation reads, each once, with the derivative with respect to each. Constants are not among them.
    #[inline]
    pub fn partials(&self) -> impl Iterator<Item = (usize, f64)> + Clone + use<> {
        self.operands.parents().zip(self.first)
    }

    /// The second derivatives that are not identically zero, each pair of nodes once.
    ///
    /// ```
    /// use retrograd::trace;
    ///
    /// let graph = trace(&[3.0, 4.0], |x| x[0] * x[1]);
    /// assert_eq!(graph.nodes()[2].second_partials().collect::<Vec<_>>(), [(0, 1, 1.0)]);
    /// ```
    #[inline]
    pub fn second_partials(&self) -> impl Iterator<Item = (usize, usize, f64)> + use<> {
        let [a, b] = self.operands.parents.map(|parent| parent as usize);
        let (curved, second) = (self.curved, self.second);
        let pairs = [(a, a), (a, b), (b, b)];
        (0..3).filter(move |&i| curved[i]).map(move |i| (pairs[i].0, pairs[i].1, second[i]))
    }
}

/// The operation, its value and its operands.
impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("operation", &self.operation())
            .field("value", &self.value)
            .field("partials", &self.partials().collect::<Vec<_>>())
            .finish()
    }
}
