//! A sparse matrix times a vector: columns spread out, or, transposed, are gathered.

use retrograd::prelude::*;

use super::sparse_dot::Csc;
use super::{Demo, Entry};

/// Adds `alpha` times the product of the sparse matrix `a` and the vector `x` to `y`.
///
/// Each element of `x` is multiplied with a column, and goes to the rows in which that has entries. The derivative by
/// `a` has the same entries as `a`.
///
/// ```
/// use lab_corpus::programs::sparse_dot::Csc;
/// use lab_corpus::programs::sparse_matvec::sparse_matvec;
///
/// let a = Csc::from_columns(&[[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]);
/// let mut y = [0.0; 3];
/// sparse_matvec(&mut y, &a, &[1.0, 10.0], 2.0);
/// assert_eq!(y, [0.0, 4.0, 26.0]);
/// sparse_matvec::uncall(&mut y, &a, &[1.0, 10.0], 2.0);
/// assert_eq!(y, [0.0; 3]);
/// ```
#[reversible]
pub fn sparse_matvec<T: Real>(y: &mut [T], a: &Csc<T>, x: &[T], alpha: T) {
    for j in 0..x.len() {
        let scaled = alpha * x[j];
        for k in a.starts[j]..a.starts[j + 1] {
            y[a.rows[k]] += a.values[k] * scaled;
        }
    }
}

/// Adds `alpha` times the product of the transpose of `a` and the vector `x` to `y`.
///
/// ```
/// use lab_corpus::programs::sparse_dot::Csc;
/// use lab_corpus::programs::sparse_matvec::sparse_matvec_transposed;
///
/// let a = Csc::from_columns(&[[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]);
/// let mut y = [0.0; 2];
/// sparse_matvec_transposed(&mut y, &a, &[5.0, 1.0, 10.0], 2.0);
/// assert_eq!(y, [64.0, 20.0]);
/// sparse_matvec_transposed::uncall(&mut y, &a, &[5.0, 1.0, 10.0], 2.0);
/// assert_eq!(y, [0.0; 2]);
/// ```
#[reversible]
pub fn sparse_matvec_transposed<T: Real>(y: &mut [T], a: &Csc<T>, x: &[T], alpha: T) {
    for j in 0..y.len() {
        let mut sum = T::zero();
        for k in a.starts[j]..a.starts[j + 1] {
            sum += a.values[k] * x[a.rows[k]];
        }
        y[j] += alpha * sum;
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "sparse_matvec",
    about: "adds the product of a sparse matrix and a vector; its gradient is as sparse as the matrix",
    source: sparse_matvec::source,
    demo: || {
        let (a, x) = (Csc::from_columns(&[[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]), [1.0, 10.0]);
        Demo::new(
            [0.0; 3],
            |y: &mut [f64; 3]| sparse_matvec(y, &a, &x, 2.0),
            |y| sparse_matvec::uncall(y, &a, &x, 2.0),
            |y| format!("y = {y:?}, a = {:?} in rows {:?}, x = {x:?}", a.values, a.rows),
        )
    },
};
