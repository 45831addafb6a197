//! Sparse Hessians by edge pushing (R. M. Gower and M. P. Mello, "A new framework for the computation of Hessians", 2012).

use crate::numbers::Graph;

/// A symmetric matrix with few nonzero entries: its lower triangle, in order.
///
/// Every pair of inputs that meet in a nonlinear operation has an entry, even if its value happens to be zero, so the
/// pattern is the same wherever the program takes the same branches.
///
/// ```
/// use retrograd::{Real, trace};
///
/// let hessian = trace(&[2.0, 3.0, 5.0], |x| x[0] * x[1] + x[2].square()).sparse_hessian();
/// assert_eq!(hessian.entries(), [(1, 0, 1.0), (2, 2, 2.0)]);
/// assert_eq!((hessian.get(0, 1), hessian.get(1, 1)), (1.0, 0.0));
/// assert_eq!(hessian.to_dense(), [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SparseHessian {
    dimension: usize,
    entries: Vec<(usize, usize, f64)>,
    pushes: usize,
}

impl SparseHessian {
    /// How many rows there are.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The entries `(row, column, value)` with `row >= column`, sorted.
    pub fn entries(&self) -> &[(usize, usize, f64)] {
        &self.entries
    }

    /// How many additions to an edge of the graph it took, which determines the cost.
    ///
    /// ```
    /// use retrograd::{Real, Traced, trace};
    ///
    /// fn chain(x: &[Traced]) -> Traced {
    ///     x.windows(2).fold(Traced::zero(), |sum, x| sum + (x[0] * x[1]).sin())
    /// }
    ///
    /// // A band: 199 of the 5050 entries of the triangle.
    /// let graph = trace(&[1.0; 100], chain);
    /// assert_eq!(graph.sparse_hessian().entries().len(), 199);
    /// assert!(graph.sparse_hessian().pushes() < 1000);
    /// ```
    pub fn pushes(&self) -> usize {
        self.pushes
    }

    /// The entry in `row` and `column`; zero if there is none. Panics if one of them is out of range.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let n = self.dimension;
        assert!(row < n && column < n, "entry ({row}, {column}) of a Hessian with {n} rows and columns");
        let key = (row.max(column), row.min(column));
        match self.entries.binary_search_by_key(&key, |&(row, column, _)| (row, column)) {
            Ok(i) => self.entries[i].2,
            Err(_) => 0.0,
        }
    }

    /// All entries, row by row.
    pub fn to_dense(&self) -> Vec<f64> {
        let n = self.dimension;
        let mut dense = vec![0.0; n * n];
        for &(row, column, value) in &self.entries {
            dense[row * n + column] = value;
            dense[column * n + row] = value;
        }
        dense
    }
}

/// The Hessian of the output as a function of the nodes that are left: one weight for each pair of nodes that interact,
/// kept at the later node. Weights of a pair are added up when its later node is reached.
struct Edges {
    of: Vec<Vec<(usize, f64)>>,
    pushes: usize,
}

impl Edges {
    fn add(&mut self, a: usize, b: usize, weight: f64) {
        self.of[a.max(b)].push((a.min(b), weight));
        self.pushes += 1;
    }

    /// The edges from `node` to earlier nodes and to itself, sorted, each once.
    fn take(&mut self, node: usize) -> Vec<(usize, f64)> {
        let mut edges = std::mem::take(&mut self.of[node]);
        edges.sort_by_key(|edge| edge.0);
        edges.dedup_by(|next, edge| {
            let same = next.0 == edge.0;
            if same {
                edge.1 += next.1;
            }
            same
        });
        edges
    }
}

impl Graph {
    /// The Hessian of the only output, by edge pushing: one reverse sweep whose cost is proportional to the pairs of nodes that
    /// interact. Panics if there is not exactly one output.
    ///
    /// ```
    /// use retrograd::{Real, trace};
    ///
    /// let arrow = trace(&[1.0, 2.0, 3.0], |x| x[0] * (x[1].square() + x[2].square()));
    /// assert_eq!(arrow.sparse_hessian().entries(), [(1, 0, 4.0), (1, 1, 2.0), (2, 0, 6.0), (2, 2, 2.0)]);
    /// ```
    #[track_caller]
    pub fn sparse_hessian(&self) -> SparseHessian {
        let nodes = self.nodes();
        let mut edges = Edges { of: vec![Vec::new(); nodes.len()], pushes: 0 };
        // None for a node that the output does not depend on: an adjoint that happens to be zero still has a pattern.
        let mut adjoints: Vec<Option<f64>> = vec![None; nodes.len()];
        if let Some(output) = self.only_output().1 {
            adjoints[output] = Some(1.0);
        }
        for i in (self.inputs()..nodes.len()).rev() {
            let node = &nodes[i];
            // Pushing: node i is replaced by its parents, in each edge that it has.
            for (other, weight) in edges.take(i) {
                let mut parents = node.partials();
                while let Some((parent, partial)) = parents.next() {
                    if other != i {
                        let both_ends = if parent == other { 2.0 } else { 1.0 };
                        edges.add(parent, other, both_ends * partial * weight);
                        continue;
                    }
                    edges.add(parent, parent, partial * partial * weight);
                    for (second, second_partial) in parents.clone() {
                        edges.add(parent, second, partial * second_partial * weight);
                    }
                }
            }
            let Some(adjoint) = adjoints[i] else { continue };
            // Creating: the operation of node i makes its parents interact.
            for (a, b, curvature) in node.second_partials() {
                edges.add(a, b, adjoint * curvature);
            }
            for (parent, partial) in node.partials() {
                *adjoints[parent].get_or_insert(0.0) += adjoint * partial;
            }
        }
        let mut entries = Vec::new();
        for row in 0..self.inputs() {
            entries.extend(edges.take(row).into_iter().map(|(column, value)| (row, column, value)));
        }
        SparseHessian { dimension: self.inputs(), entries, pushes: edges.pushes }
    }

    /// The pairs `(row, column)` with `row >= column` for which the Hessian of the only output has an entry, sorted.
    /// Panics if there is not exactly one output.
    ///
    /// ```
    /// use retrograd::{Real, trace};
    ///
    /// let graph = trace(&[1.0, 2.0, 3.0], |x| x[0] * x[1] + x[2]);
    /// assert_eq!(graph.hessian_sparsity(), [(1, 0)]);
    /// ```
    #[track_caller]
    pub fn hessian_sparsity(&self) -> Vec<(usize, usize)> {
        self.sparse_hessian().entries.iter().map(|&(row, column, _)| (row, column)).collect()
    }
}
