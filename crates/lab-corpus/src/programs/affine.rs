//! Affine maps: in place by triangular factors, and into another vector by any matrix.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// Maps `x` to `L·U·x + b` in place. Run backwards it solves the linear system `L·U·x + b = y`.
///
/// `lu` holds both factors row by row: `U` on and above the diagonal, and below it `L`, whose own diagonal is 1.
/// A product with a triangular matrix needs no second vector: from the right end, each element reads only elements
/// that still are, or already are, what they should be. There must be no zero on the diagonal of `U`.
///
/// ```
/// use lab_corpus::programs::affine::affine;
///
/// let lu = [2.0, 1.0, 0.5, 4.0]; // L = [1, 0; 0.5, 1], U = [2, 1; 0, 4], L·U = [2, 1; 1, 4.5]
/// let mut x = [1.0, 2.0];
/// affine(&mut x, &lu, &[10.0, 20.0]);
/// assert_eq!(x, [14.0, 30.0]);
/// affine::uncall(&mut x, &lu, &[10.0, 20.0]);
/// assert_eq!(x, [1.0, 2.0]);
/// ```
#[reversible]
pub fn affine<T: Real>(x: &mut [T], lu: &[T], b: &[T]) {
    let n = x.len();
    for i in 0..n {
        x[i] *= lu[n * i + i];
        for j in i + 1..n {
            x[i] += lu[n * i + j] * x[j];
        }
    }
    for i in (0..n).rev() {
        for j in 0..i {
            x[i] += lu[n * i + j] * x[j];
        }
        x[i] += b[i];
    }
}

/// Adds `W·x + b` to `y`. `w` is any matrix, row by row, with a row for each element of `y`.
///
/// ```
/// use lab_corpus::programs::affine::affine_into;
///
/// let w = [1.0, 0.0, 2.0, 0.0, 1.0, 0.0];
/// let mut y = [0.0, 0.0];
/// affine_into(&mut y, &w, &[1.0, 2.0, 3.0], &[10.0, 20.0]);
/// assert_eq!(y, [17.0, 22.0]);
/// affine_into::uncall(&mut y, &w, &[1.0, 2.0, 3.0], &[10.0, 20.0]);
/// assert_eq!(y, [0.0, 0.0]);
/// ```
#[reversible]
pub fn affine_into<T: Real>(y: &mut [T], w: &[T], x: &[T], b: &[T]) {
    let columns = x.len();
    for i in 0..y.len() {
        for j in 0..columns {
            y[i] += w[columns * i + j] * x[j];
        }
        y[i] += b[i];
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "affine",
    about: "maps a vector by a factored matrix, in place; the inverse solves the linear system",
    source: affine::source,
    demo: || {
        let (lu, b) = ([2.0, 1.0, 3.0, 0.5, 4.0, -1.0, 1.0, -0.25, 0.5], [10.0, 20.0, 30.0]);
        Demo::new(
            [1.0, 2.0, 3.0],
            |x: &mut [f64; 3]| affine(x, &lu, &b),
            |x| affine::uncall(x, &lu, &b),
            |x| format!("x = {x:?}"),
        )
    },
};
