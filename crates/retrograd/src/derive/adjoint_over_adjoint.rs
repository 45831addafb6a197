//! Second derivatives by differentiating the reverse sweep in reverse: the adjoint of the adjoint.

use crate::numbers::Graph;

impl Graph {
    /// The product of the Hessian of the only output with `direction`. Panics if there is not exactly one output, or if
    /// `direction` does not have one number for each input.
    ///
    /// Costs about three gradients.
    ///
    /// ```
    /// use retrograd::trace;
    ///
    /// let graph = trace(&[2.0, 3.0], |x| x[0] * x[0] * x[1]);
    /// assert_eq!(graph.hessian_vector(&[1.0, 0.0]), [6.0, 4.0]);
    /// ```
    #[track_caller]
    pub fn hessian_vector(&self, direction: &[f64]) -> Vec<f64> {
        let adjoints = self.adjoints();
        self.adjoint_of_adjoint(&adjoints, direction)
    }

    /// The Hessian of the only output, row by row, by one second-order sweep for each input. Panics if there is not exactly
    /// one output.
    ///
    /// The cost is proportional to that of one gradient per input, whatever the Hessian looks like; for one with many zeros see
    /// [`sparse_hessian`](Graph::sparse_hessian).
    ///
    /// ```
    /// use retrograd::{Real, trace};
    ///
    /// let graph = trace(&[1.0, 2.0], |x| x[0].cube() + x[0] * x[1]);
    /// assert_eq!(graph.hessian(), [6.0, 1.0, 1.0, 0.0]);
    /// ```
    #[track_caller]
    pub fn hessian(&self) -> Vec<f64> {
        let adjoints = self.adjoints();
        let n = self.inputs();
        let mut hessian = Vec::with_capacity(n * n);
        let mut direction = vec![0.0; n];
        for i in 0..n {
            direction[i] = 1.0;
            hessian.extend(self.adjoint_of_adjoint(&adjoints, &direction));
            direction[i] = 0.0;
        }
        hessian
    }

    #[track_caller]
    fn adjoints(&self) -> Vec<Option<f64>> {
        self.only_output();
        self.sweep_back(&[1.0])
    }

    // The reverse sweep is itself a program: node after node, from the last to the first, p̄ += n̄ ∂n/∂p for each parent p of
    // n. Its adjoint runs through the same nodes in the opposite order. The adjoint of n̄ collects those of the p̄ it went
    // into, Σ ∂n/∂p ṗ, which is the tangent of n: the first sweep. The adjoint of n itself comes from where its value was
    // used in the first program, and where it was used in a partial of the second: the second sweep.
    #[track_caller]
    fn adjoint_of_adjoint(&self, adjoints: &[Option<f64>], direction: &[f64]) -> Vec<f64> {
        let tangents = self.sweep_forward(direction);
        let mut second: Vec<Option<f64>> = vec![None; self.nodes().len()];
        for (i, node) in self.nodes().iter().enumerate().rev() {
            if let Some(weight) = second[i] {
                for (parent, partial) in node.partials() {
                    *second[parent].get_or_insert(0.0) += weight * partial;
                }
            }
            let Some(adjoint) = adjoints[i] else { continue };
            for (a, b, curvature) in node.second_partials() {
                if let Some(tangent) = tangents[b] {
                    *second[a].get_or_insert(0.0) += adjoint * curvature * tangent;
                }
                if let (true, Some(tangent)) = (a != b, tangents[a]) {
                    *second[b].get_or_insert(0.0) += adjoint * curvature * tangent;
                }
            }
        }
        second.truncate(self.inputs());
        second.into_iter().map(Option::unwrap_or_default).collect()
    }
}
