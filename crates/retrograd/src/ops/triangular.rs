//! Products of triangular matrices and vectors, in place.

use crate::{Real, reversible};

/// Multiplies the vector `x` by the upper triangle of the matrix `u`, in place: `x` becomes U x.
///
/// `u` is square and stored row by row; what is below its diagonal is not read. Each element is scaled by the diagonal and takes up elements
/// that are still as they were, so that the inverse is the triangular solve, and the determinant the product of the diagonal. A
/// zero on the diagonal is an [`InvertibilityError`](crate::InvertibilityError) of kind
/// [`ZeroFactor`](crate::ErrorKind::ZeroFactor) in every build and direction.
///
/// ```
/// use retrograd::ops::multiply_upper;
///
/// let u = [2.0, 1.0, 0.0, 4.0];
/// let mut x = [1.0, 3.0];
/// multiply_upper(&mut x, &u);
/// assert_eq!(x, [5.0, 12.0]);
/// multiply_upper::uncall(&mut x, &u); // solves U x = (5, 12)
/// assert_eq!(x, [1.0, 3.0]);
/// assert_eq!(multiply_upper::log_det(&mut x, &u).log_abs, 2.0_f64.ln() + 4.0_f64.ln());
/// ```
///
/// # Panics
///
/// If `u` has not as many elements as the square of the length of `x`.
#[reversible(checks = "always")]
pub fn multiply_upper<T: Real>(x: &mut [T], u: &[T]) {
    assert!(u.len() == x.len() * x.len(), "{} elements are not a square matrix for {} numbers", u.len(), x.len());
    for i in 0..x.len() {
        x[i] *= u[i * x.len() + i];
        for j in i + 1..x.len() {
            x[i] += u[i * x.len() + j] * x[j];
        }
    }
}

/// Multiplies the vector `x` by the lower triangle of the matrix `l`, in place: `x` becomes L x.
///
/// It is [`multiply_upper()`] from the last element to the first: what is above the diagonal of `l` is not read.
///
/// ```
/// use retrograd::{ErrorKind, attempt, ops::multiply_lower};
///
/// let mut x = [1.0, 3.0];
/// multiply_lower(&mut x, &[2.0, 0.0, 5.0, 4.0]);
/// assert_eq!(x, [2.0, 17.0]);
/// let singular = [2.0, 0.0, 5.0, 0.0];
/// assert_eq!(attempt(|| multiply_lower::uncall(&mut x, &singular)).unwrap_err().kind, ErrorKind::ZeroFactor);
/// ```
///
/// # Panics
///
/// If `l` has not as many elements as the square of the length of `x`.
#[reversible(checks = "always")]
pub fn multiply_lower<T: Real>(x: &mut [T], l: &[T]) {
    assert!(l.len() == x.len() * x.len(), "{} elements are not a square matrix for {} numbers", l.len(), x.len());
    for i in (0..x.len()).rev() {
        x[i] *= l[i * x.len() + i];
        for j in 0..i {
            x[i] += l[i * x.len() + j] * x[j];
        }
    }
}

/// Multiplies the vector `x` by a matrix that is given by its triangular factors, in place: `x` becomes L U x.
///
/// Both factors lie in the one matrix `lu`: U on and above the diagonal, and below it L, whose own diagonal is 1. The inverse
/// consists of the two triangular solves, and the determinant is the product of the diagonal.
///
/// ```
/// use retrograd::ops::multiply_lu;
///
/// // [[1, 0], [3, 1]] · [[2, 1], [0, 4]] = [[2, 1], [6, 7]]
/// let lu = [2.0, 1.0, 3.0, 4.0];
/// let mut x = [1.0, -1.0];
/// let there = multiply_lu::log_det(&mut x, &lu);
/// assert_eq!((x, there.log_abs), ([1.0, -1.0], 2.0_f64.ln() + 4.0_f64.ln()));
/// let back = multiply_lu::uncall_log_det(&mut x, &lu);
/// assert_eq!((x, there.log_abs + back.log_abs), ([1.0, -1.0], 0.0));
/// ```
///
/// # Panics
///
/// If `lu` has not as many elements as the square of the length of `x`.
#[reversible(checks = "always")]
pub fn multiply_lu<T: Real>(x: &mut [T], lu: &[T]) {
    multiply_upper(x, lu);
    for i in (0..x.len()).rev() {
        for j in 0..i {
            x[i] += lu[i * x.len() + j] * x[j];
        }
    }
}
