//! The linear equations between the tangents of all values of a run.

use super::Error;
use crate::numbers::Graph;

/// The structure of these equations, for the nodes that outputs depend on.
///
/// With n inputs, unknown i is the tangent of input i below n, and of another node from there on. Equation i says what
/// output i is below n, and from there on how the value of node i comes about: `t_v - Σ ∂v/∂p · t_p = 0`.
#[derive(Clone)]
pub(super) struct System {
    inputs: usize,
    /// The node of each unknown, in the order of the run.
    nodes: Vec<u32>,
    /// The unknown of each output; none for a constant.
    outputs: Vec<Option<usize>>,
    /// The unknowns that each node is computed from, and [`NONE`] where there are fewer.
    parents: Vec<[u32; 2]>,
}

const NONE: u32 = u32::MAX;

impl System {
    pub(super) fn new(graph: &Graph) -> Result<System, Error> {
        let inputs = graph.inputs();
        let outputs: Vec<Option<usize>> = graph.outputs().collect();
        if inputs != outputs.len() {
            return Err(Error::NotSquare { inputs, outputs: outputs.len() });
        }
        // Nodes are large: they are read once.
        let mut all_parents: Vec<[u32; 2]> = Vec::with_capacity(graph.nodes().len());
        all_parents.extend(graph.nodes().iter().map(|node| {
            let mut parents = node.partials().map(|(parent, _)| parent as u32);
            [parents.next(), parents.next()].map(|parent| parent.unwrap_or(NONE))
        }));
        let mut alive = vec![false; all_parents.len()];
        alive[..inputs].fill(true);
        for &node in outputs.iter().flatten() {
            alive[node] = true;
        }
        for (i, parents) in all_parents.iter().enumerate().rev() {
            if alive[i] {
                parents.iter().filter(|&&parent| parent != NONE).for_each(|&parent| alive[parent as usize] = true);
            }
        }
        let mut unknown = vec![NONE; alive.len()];
        let mut nodes = Vec::with_capacity(alive.len());
        for i in (0..alive.len()).filter(|&i| alive[i]) {
            let at = nodes.len();
            let parents = all_parents[i].map(|parent| if parent == NONE { NONE } else { unknown[parent as usize] });
            (unknown[i], all_parents[at]) = (at as u32, parents);
            nodes.push(i as u32);
        }
        all_parents.truncate(nodes.len());
        Ok(System {
            inputs,
            parents: all_parents,
            outputs: outputs.into_iter().map(|node| node.map(|node| unknown[node] as usize)).collect(),
            nodes,
        })
    }

    /// How many inputs there are, and outputs.
    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many unknowns there are, and equations.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node of an unknown.
    pub(super) fn node(&self, unknown: usize) -> usize {
        self.nodes[unknown] as usize
    }

    /// The unknowns that belong to the outputs.
    pub(super) fn outputs(&self) -> &[Option<usize>] {
        &self.outputs
    }

    /// The unknowns that the value of an unknown is computed from.
    #[inline]
    pub(super) fn parents(&self, unknown: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        self.parents[unknown].into_iter().filter(|&parent| parent != NONE).map(|parent| parent as usize)
    }

    /// The unknowns in an equation: of an output its own, of a node its own and those it is computed from.
    #[inline]
    pub(super) fn unknowns(&self, equation: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        let (own, parents) = match equation < self.inputs {
            true => (self.outputs[equation], [NONE; 2]),
            false => (Some(equation), self.parents[equation]),
        };
        own.into_iter().chain(parents.into_iter().filter(|&parent| parent != NONE).map(|parent| parent as usize))
    }
}
