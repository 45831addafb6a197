//! A sparse matrix times a vector, and its adjoint by hand.

use super::Number;
use crate::programs::sparse_dot::Csc;

/// Adds `alpha` times the product of `a` and `x` to `y`, as
/// [`sparse_matvec`](crate::programs::sparse_matvec::sparse_matvec()) does.
#[inline]
pub fn sparse_matvec<N: Number>(y: &mut [N], a: &Csc<N>, x: &[N], alpha: N) {
    for (ends, &x) in a.starts.windows(2).zip(x) {
        let scaled = alpha * x;
        for k in ends[0]..ends[1] {
            let y = &mut y[a.rows[k]];
            *y = *y + a.values[k] * scaled;
        }
    }
}

/// Adds `alpha` times the product of the transpose of `a` and `x` to `y`, as
/// [`sparse_matvec_transposed`](crate::programs::sparse_matvec::sparse_matvec_transposed()) does.
#[inline]
pub fn sparse_matvec_transposed<N: Number>(y: &mut [N], a: &Csc<N>, x: &[N], alpha: N) {
    for (ends, y) in a.starts.windows(2).zip(y) {
        let sum = (ends[0]..ends[1]).fold(N::constant(0.0), |sum, k| sum + a.values[k] * x[a.rows[k]]);
        *y = *y + alpha * sum;
    }
}

/// Adds to the adjoints of the entries of `a` and of `x`, from those of `y`, for `alpha` = 1.
///
/// ```
/// use lab_corpus::programs::sparse_dot::Csc;
/// use lab_corpus::yardsticks::sparse_matvec::pullback;
///
/// let a = Csc::from_columns(&[[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]);
/// let (mut g_a, mut g_x) = ([0.0; 3], [0.0; 2]);
/// pullback(&[5.0, 6.0, 7.0], (&a, &mut g_a), (&[1.0, 10.0], &mut g_x));
/// assert_eq!((g_a, g_x), ([6.0, 7.0, 70.0], [33.0, 7.0]));
/// ```
pub fn pullback(g_y: &[f64], (a, g_a): (&Csc<f64>, &mut [f64]), (x, g_x): (&[f64], &mut [f64])) {
    for (ends, (&x, g_x)) in a.starts.windows(2).zip(x.iter().zip(g_x)) {
        for k in ends[0]..ends[1] {
            g_a[k] += g_y[a.rows[k]] * x;
            *g_x += g_y[a.rows[k]] * a.values[k];
        }
    }
}
