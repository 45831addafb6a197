//! The data-flow graph of a run, and first derivatives by sweeps through it.

use std::sync::Arc;

use super::guard::{Guard, OtherBranch};
use super::node::Node;

/// What was computed from which inputs: the data-flow graph of a run on [`Traced`](super::Traced) numbers.
///
/// The nodes are in the order of the run, so that each operation comes after its operands; the inputs come first. Each
/// node has its value, and the first and second derivatives of its operation. They suffice for all derivatives of
/// first and second order at this point:
///
/// ```
/// use retrograd::{Real, trace};
///
/// let graph = trace(&[2.0, 3.0], |x| x[0].square() * x[1] + x[1]);
/// assert_eq!(graph.gradient(), [12.0, 5.0]);
/// assert_eq!(graph.hessian(), [6.0, 4.0, 4.0, 0.0]);
/// assert_eq!(graph.sparse_hessian().entries(), [(0, 0, 6.0), (1, 0, 4.0)]);
/// ```
#[derive(Clone, Debug)]
pub struct Graph {
    /// Shared by clones, as nothing changes them.
    nodes: Arc<Vec<Node>>,
    inputs: usize,
    /// The value of each output, and its node unless it is a constant.
    outputs: Vec<(f64, Option<usize>)>,
    /// What the run has decided by values.
    guards: Vec<Guard>,
}

impl Graph {
    pub(super) fn new(
        nodes: Vec<Node>,
        guards: Vec<Guard>,
        inputs: usize,
        outputs: Vec<(f64, Option<usize>)>,
    ) -> Graph {
        Graph { nodes: Arc::new(nodes), inputs, outputs, guards }
    }

    /// The same operations at another point, without running the program again. Fails where a comparison, a rounding or a look at a value
    /// comes out otherwise there, because the program might compute something else. Panics if `x` does not have one number for each input.
    ///
    /// ```
    /// use retrograd::{Real, trace};
    ///
    /// let graph = trace(&[2.0], |x| if x[0] > Real::lit(0.0) { x[0].ln() } else { x[0] });
    /// assert_eq!(graph.at(&[0.5]).unwrap().gradient(), [2.0]);
    /// let error = graph.at(&[-0.5]).unwrap_err();
    /// assert_eq!(error.location.file(), file!());
    /// ```
    #[track_caller]
    pub fn at(&self, x: &[f64]) -> Result<Graph, OtherBranch> {
        self.check_length("numbers", x.len(), "inputs", self.inputs);
        let mut nodes: Vec<Node> = Vec::with_capacity(self.nodes.len());
        nodes.extend(self.nodes.iter().zip(x).map(|(node, &value)| node.clone().with_value(value)));
        for node in &self.nodes[self.inputs..] {
            let node = node.again(|i| nodes[i].value());
            nodes.push(node);
        }
        if let Some(guard) = self.guards.iter().find(|guard| !guard.holds(|i| nodes[i].value())) {
            return Err(OtherBranch { location: guard.location() });
        }
        let outputs = self.outputs.iter().map(|&(value, node)| (node.map_or(value, |i| nodes[i].value()), node));
        let (outputs, inputs, guards) = (outputs.collect(), self.inputs, self.guards.clone());
        Ok(Graph { outputs, nodes: Arc::new(nodes), inputs, guards })
    }

    /// All nodes, inputs first, each operation after its operands.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The value of each output.
    pub fn values(&self) -> Vec<f64> {
        self.outputs.iter().map(|output| output.0).collect()
    }

    /// The node of each output; `None` for an output that depends on no input.
    pub fn outputs(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.outputs.iter().map(|output| output.1)
    }

    /// The value of the only output. Panics if there is not exactly one.
    pub fn value(&self) -> f64 {
        self.only_output().0
    }

    #[track_caller]
    pub(crate) fn only_output(&self) -> (f64, Option<usize>) {
        match self.outputs[..] {
            [output] => output,
            _ => panic!("the graph has {} outputs, and only a graph with one has a gradient", self.outputs.len()),
        }
    }

    /// The gradient of the only output, from one reverse sweep. Panics if there is not exactly one output.
    ///
    /// ```
    /// use retrograd::{Real, trace};
    ///
    /// assert_eq!(trace(&[0.0, 2.0], |x| x[0].exp() * x[1]).gradient(), [2.0, 1.0]);
    /// ```
    #[track_caller]
    pub fn gradient(&self) -> Vec<f64> {
        self.only_output();
        self.pullback(&[1.0])
    }

    /// The adjoints of the inputs from those of the outputs: `Jᵀ ȳ`, from one reverse sweep.
    ///
    /// ```
    /// use retrograd::trace;
    ///
    /// let graph = trace(&[3.0, 4.0], |x| [x[0] * x[1], x[0] + x[1]]);
    /// assert_eq!(graph.pullback(&[1.0, 10.0]), [14.0, 13.0]);
    /// ```
    #[track_caller]
    pub fn pullback(&self, adjoints: &[f64]) -> Vec<f64> {
        self.check_length("adjoints", adjoints.len(), "outputs", self.outputs.len());
        let mut all = self.sweep_back(adjoints);
        all.truncate(self.inputs);
        all.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// The adjoints of all nodes from those of the outputs; none where the outputs do not depend on the node, so that
    /// an infinite derivative there is none of ours.
    pub(crate) fn sweep_back(&self, adjoints: &[f64]) -> Vec<Option<f64>> {
        let mut all = vec![None; self.nodes.len()];
        for (&(_, node), &adjoint) in self.outputs.iter().zip(adjoints) {
            if let Some(node) = node {
                *all[node].get_or_insert(0.0) += adjoint;
            }
        }
        for (i, node) in self.nodes.iter().enumerate().rev() {
            if let Some(adjoint) = all[i] {
                for (parent, partial) in node.partials() {
                    *all[parent].get_or_insert(0.0) += adjoint * partial;
                }
            }
        }
        all
    }

    /// The tangents of the outputs from those of the inputs: `J ẋ`, from one forward sweep.
    ///
    /// ```
    /// use retrograd::trace;
    ///
    /// let graph = trace(&[3.0, 4.0], |x| [x[0] * x[1], x[0] + x[1]]);
    /// assert_eq!(graph.pushforward(&[1.0, 10.0]), [34.0, 11.0]);
    /// ```
    #[track_caller]
    pub fn pushforward(&self, tangents: &[f64]) -> Vec<f64> {
        let all = self.sweep_forward(tangents);
        self.outputs.iter().map(|output| output.1.and_then(|node| all[node]).unwrap_or_default()).collect()
    }

    /// The tangents of all nodes from those of the inputs; none where no input changes that the node depends on.
    #[track_caller]
    pub(crate) fn sweep_forward(&self, tangents: &[f64]) -> Vec<Option<f64>> {
        self.check_length("tangents", tangents.len(), "inputs", self.inputs);
        let mut all = Vec::with_capacity(self.nodes.len());
        all.extend(tangents.iter().map(|&tangent| (tangent != 0.0).then_some(tangent)));
        for node in &self.nodes[self.inputs..] {
            let mut sum: Option<f64> = None;
            for (parent, partial) in node.partials() {
                if let Some(tangent) = all[parent] {
                    *sum.get_or_insert(0.0) += tangent * partial;
                }
            }
            all.push(sum);
        }
        all
    }

    /// The inputs that each output depends on, in order: the nonzero positions in the rows of the Jacobian.
    ///
    /// An input that cancels out counts (`x - x`), and so does one whose derivative happens to be zero here. One that is
    /// only rounded (`floor`) or compared does not.
    ///
    /// ```
    /// use retrograd::{Real, trace};
    ///
    /// let graph = trace(&[0.0, 1.0, 2.0], |x| [x[0] * x[2], x[1].square() + x[0].floor()]);
    /// assert_eq!(graph.sparsity(), [vec![0, 2], vec![1]]);
    /// ```
    pub fn sparsity(&self) -> Vec<Vec<usize>> {
        // The last output that has been at each node: no marks to clear between the outputs.
        let mut last = vec![usize::MAX; self.nodes.len()];
        let mut row = |(i, output): (usize, &(f64, Option<usize>))| {
            let mut found = Vec::new();
            let mut open: Vec<usize> = output.1.into_iter().collect();
            while let Some(node) = open.pop() {
                if std::mem::replace(&mut last[node], i) == i {
                    continue;
                }
                if node < self.inputs {
                    found.push(node);
                }
                open.extend(self.nodes[node].partials().map(|(parent, _)| parent));
            }
            found.sort_unstable();
            found
        };
        self.outputs.iter().enumerate().map(&mut row).collect()
    }

    #[track_caller]
    fn check_length(&self, what: &str, given: usize, of: &str, expected: usize) {
        assert!(given == expected, "{given} {what} are given for a graph with {expected} {of}");
    }
}
