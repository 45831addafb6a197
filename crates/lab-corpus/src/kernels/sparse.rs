//! A sparse matrix times a vector: one run for each row.

use retrograd::prelude::*;

/// Adds the product of row `i` and `x` to `y[i]`. Each row has room for `d` entries, the one in column `columns[i * d + k]` being `entries[i * d + k]`.
///
/// ```
/// use lab_corpus::kernels::sparse_product;
///
/// let mut y = [0.0; 2];
/// sparse_product::over(2, &mut y, &[1.0, 2.0, 3.0], &[2.0, 3.0, 5.0, 7.0], &[0, 1, 1, 2], 2);
/// assert_eq!(y, [8.0, 31.0]);
/// ```
#[reversible(kernel)]
pub fn sparse_product<T: Real>(
    #[index] i: usize,
    y: &mut [T],
    #[scatter] x: &[T],
    entries: &[T],
    columns: &[u32],
    d: usize,
) {
    for k in 0..d {
        y[i] += entries[i * d + k] * x[columns[i * d + k] as usize];
    }
}
