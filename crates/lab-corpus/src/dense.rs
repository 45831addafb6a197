//! Dense linear algebra in plain loops, as one writes it first: a product of matrices, a triangular solve, a Cholesky decomposition.
//!
//! Matrices stand row by row, and have `n` rows and columns.

use retrograd::prelude::*;

/// The sum of the squares of all elements of the product of `a` and `b`.
///
/// ```
/// use lab_corpus::dense::product;
///
/// let (value, by_a, by_b) = product::gradient(&[1.0, 2.0, 3.0, 4.0], &[1.0, 0.0, 1.0, 0.0], 2);
/// assert_eq!(value, 9.0 + 49.0);
/// assert_eq!((by_a, by_b), (vec![6.0, 6.0, 14.0, 14.0], vec![48.0, 0.0, 68.0, 0.0]));
/// ```
#[reversible]
pub fn product<T: Real>(a: &[T], b: &[T], n: usize) -> T {
    let mut c = vec![T::zero(); n * n];
    for i in 0..n {
        for k in 0..n {
            for j in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
    let mut sum = T::zero();
    for i in 0..n * n {
        sum += c[i] * c[i];
    }
    sum
}

/// `x` becomes the solution of `l x = b`, where it was `b`. Of `l` only the lower triangle is read.
///
/// ```
/// use lab_corpus::dense::solve;
///
/// let l = [2.0, 0.0, 1.0, 4.0];
/// let mut x = [2.0, 9.0];
/// solve(&mut x, &l, 2);
/// assert_eq!(x, [1.0, 2.0]);
/// solve::uncall(&mut x, &l, 2);
/// assert_eq!(x, [2.0, 9.0]);
/// ```
#[reversible]
pub fn solve<T: Real>(x: &mut [T], l: &[T], n: usize) {
    for i in 0..n {
        for j in 0..i {
            x[i] -= l[i * n + j] * x[j];
        }
        x[i] /= l[i * n + i];
    }
}

/// Half the logarithm of the determinant of the symmetric matrix `a`, by its Cholesky decomposition. Of `a` only the lower triangle is
/// read.
///
/// ```
/// use lab_corpus::dense::cholesky;
///
/// let (value, by_a) = cholesky::gradient(&[4.0_f64, 0.0, 2.0, 3.0], 2);
/// assert!((value - 0.5 * 8.0_f64.ln()).abs() < 1e-15);
/// assert!((by_a[0] - 3.0 / 16.0).abs() < 1e-15 && (by_a[2] + 0.25).abs() < 1e-15);
/// ```
#[reversible(record)]
pub fn cholesky<T: Real>(a: &[T], n: usize) -> T {
    let mut l = vec![T::zero(); n * n];
    for j in 0..n {
        let mut d = a[j * n + j];
        for k in 0..j {
            d -= l[j * n + k] * l[j * n + k];
        }
        l[j * n + j] = d.sqrt();
        for i in j + 1..n {
            let mut s = a[i * n + j];
            for k in 0..j {
                s -= l[i * n + k] * l[j * n + k];
            }
            l[i * n + j] = s / l[j * n + j];
        }
    }
    let mut sum = T::zero();
    for j in 0..n {
        sum += l[j * n + j].ln();
    }
    sum
}
