//! Products of dense vectors and matrices: axpy, dot, norm, and a matrix times a vector.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// Adds `a` times `x` to `y`.
///
/// ```
/// use lab_corpus::programs::matvec::axpy;
///
/// let mut y = [1.0, 2.0];
/// axpy(&mut y, 2.0, &[10.0, 20.0]);
/// assert_eq!(y, [21.0, 42.0]);
/// axpy::uncall(&mut y, 2.0, &[10.0, 20.0]);
/// assert_eq!(y, [1.0, 2.0]);
/// ```
#[reversible]
pub fn axpy<T: Real>(y: &mut [T], a: T, x: &[T]) {
    for i in 0..y.len() {
        y[i] += a * x[i];
    }
}

/// The sum of the products of elements at the same place.
///
/// ```
/// use lab_corpus::programs::matvec::dot;
///
/// let (value, by_x, by_y) = dot::gradient(&[1.0, 2.0], &[10.0, 20.0]);
/// assert_eq!((value, by_x, by_y), (50.0, vec![10.0, 20.0], vec![1.0, 2.0]));
/// ```
#[reversible]
pub fn dot<T: Real>(x: &[T], y: &[T]) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum += x[i] * y[i];
    }
    sum
}

/// The length of the vector `x`. At zero it has no derivative.
///
/// ```
/// use lab_corpus::programs::matvec::norm;
///
/// let (value, by_x) = norm::gradient(&[3.0_f64, 4.0]);
/// assert_eq!(value, 5.0);
/// assert!((by_x[0] - 0.6).abs() < 1e-15 && (by_x[1] - 0.8).abs() < 1e-15);
/// ```
#[reversible]
pub fn norm<T: Real>(x: &[T]) -> T {
    let mut square = T::zero();
    for i in 0..x.len() {
        square += x[i] * x[i];
    }
    square.sqrt()
}

/// Adds the product of the matrix `a` and the vector `x` to `y`. `a` stands row by row, a row for each element of `y`.
///
/// ```
/// use lab_corpus::programs::matvec::matvec;
///
/// let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let mut y = [0.0, 0.0];
/// matvec(&mut y, &a, &[1.0, 0.0, -1.0]);
/// assert_eq!(y, [-2.0, -2.0]);
/// matvec::uncall(&mut y, &a, &[1.0, 0.0, -1.0]);
/// assert_eq!(y, [0.0, 0.0]);
/// ```
#[reversible]
pub fn matvec<T: Real>(y: &mut [T], a: &[T], x: &[T]) {
    let columns = x.len();
    for i in 0..y.len() {
        let mut sum = T::zero();
        for j in 0..columns {
            sum += a[columns * i + j] * x[j];
        }
        y[i] += sum;
    }
}

/// Adds the product of the transpose of `a` and the vector `x` to `y`. `a` has a row for each element of `x`.
///
/// ```
/// use lab_corpus::programs::matvec::matvec_transposed;
///
/// let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let mut y = [0.0; 3];
/// matvec_transposed(&mut y, &a, &[1.0, -1.0]);
/// assert_eq!(y, [-3.0, -3.0, -3.0]);
/// matvec_transposed::uncall(&mut y, &a, &[1.0, -1.0]);
/// assert_eq!(y, [0.0; 3]);
/// ```
#[reversible]
pub fn matvec_transposed<T: Real>(y: &mut [T], a: &[T], x: &[T]) {
    let columns = y.len();
    for i in 0..x.len() {
        for j in 0..columns {
            y[j] += a[columns * i + j] * x[i];
        }
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "matvec",
    about: "adds the product of a matrix and a vector to another vector",
    source: matvec::source,
    demo: || {
        let (a, x) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, -1.0]);
        Demo::new(
            [10.0, 20.0],
            |y: &mut [f64; 2]| matvec(y, &a, &x),
            |y| matvec::uncall(y, &a, &x),
            |y| format!("y = {y:?}, a = {a:?}, x = {x:?}"),
        )
    },
};
