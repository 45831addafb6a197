//! The dot product of two sparse matrices, and its adjoint by hand.

use super::Number;
use crate::programs::sparse_dot::Csc;

/// Calls `visit` with the indices of entries at the same place in `a` and `b`.
#[inline(always)]
pub(super) fn merge<T>(a: &Csc<T>, b: &Csc<T>, mut visit: impl FnMut(usize, usize)) {
    for (a_ends, b_ends) in a.starts.windows(2).zip(b.starts.windows(2)) {
        let (mut i, mut k) = (a_ends[0], b_ends[0]);
        while i < a_ends[1] && k < b_ends[1] {
            if a.rows[i] == b.rows[k] {
                visit(i, k);
            }
            if a.rows[i] >= b.rows[k] {
                k += 1;
            } else {
                i += 1;
            }
        }
    }
}

/// The sum of all products of entries at the same place. The values may be other numbers than those of the matrices.
///
/// ```
/// use lab_corpus::programs::sparse_dot::Csc;
/// use lab_corpus::yardsticks::sparse_dot::sparse_dot;
///
/// let a = Csc::from_columns(&[[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]);
/// let b = Csc::from_columns(&[[7.0, 5.0, 0.0], [0.0, 1.0, 4.0]]);
/// assert_eq!(sparse_dot(&a, &a.values, &b, &b.values), 14.0);
/// ```
pub fn sparse_dot<N: Number>(a: &Csc<f64>, a_values: &[N], b: &Csc<f64>, b_values: &[N]) -> N {
    let mut sum = N::constant(0.0);
    merge(a, b, |i, k| sum = sum + a_values[i] * b_values[k]);
    sum
}

/// Adds to the adjoints of all entries, from that of the sum, `seed`.
///
/// ```
/// use lab_corpus::programs::sparse_dot::Csc;
/// use lab_corpus::yardsticks::sparse_dot::pullback;
///
/// let a = Csc::from_columns(&[[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]);
/// let b = Csc::from_columns(&[[7.0, 5.0, 0.0], [0.0, 1.0, 4.0]]);
/// let (mut g_a, mut g_b) = ([0.0; 3], [0.0; 4]);
/// pullback(&a, &mut g_a, &b, &mut g_b, 1.0);
/// assert_eq!((g_a, g_b), ([5.0, 0.0, 4.0], [0.0, 2.0, 0.0, 1.0]));
/// ```
pub fn pullback(a: &Csc<f64>, g_a: &mut [f64], b: &Csc<f64>, g_b: &mut [f64], seed: f64) {
    merge(a, b, |i, k| {
        g_a[i] += seed * b.values[k];
        g_b[k] += seed * a.values[i];
    });
}
