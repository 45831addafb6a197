//! Functions of a matrix with one real value.

use std::borrow::BorrowMut;

use super::companions::function;
use super::entry::{Carried, Carry, Derivatives, Entry, Swept, fit_shadow};
use super::kernels::Lu;
use super::shape::{Call, Dense, Needed};
use super::view::View;
use crate::shadow::{AdjointArg, Scalar, Shadow, Shadowed, Sweep, TangentArg, Zero, add, given_by_hand};
use crate::{Active, Real};

fn factors<E: Entry>(call: Call, a: View<'_, E>) -> Lu<E> {
    Lu::new(a).unwrap_or_else(|(pivot, value)| call.singular("a", pivot, value))
}

fn log_of<E: Entry>(factors: &Lu<E>) -> E::Real {
    factors.pivots().map(|pivot| pivot.size().ln()).sum()
}

fn log_det_value<E: Entry>(call: Call, a: View<'_, E>) -> E::Real {
    log_of(&factors(call, a))
}

/// The gradient is the conjugate transpose of the inverse.
fn log_det_gradient<E: Entry>(call: Call, a: View<'_, E>) -> (E::Real, Vec<E>) {
    let factors = factors(call, a);
    let value = log_of(&factors);
    let inverse = factors.inverse();
    let transposed = View::of_rows(&inverse, a.rows(), a.rows()).transposed().to_rows();
    (value, transposed.into_iter().map(E::conjugate).collect())
}

fn norm_value<E: Entry>(_call: Call, a: View<'_, E>) -> E::Real {
    let mut sum: E::Real = Real::zero();
    (0..a.rows()).for_each(|i| (0..a.columns()).for_each(|j| sum += a.at(i, j).square_size()));
    sum.sqrt()
}

/// Each element over the norm; zero at zero, as for `hypot`.
fn norm_gradient<E: Entry>(call: Call, a: View<'_, E>) -> (E::Real, Vec<E>) {
    let norm = norm_value(call, a);
    let zero: E::Real = Real::zero();
    let weight = norm.select_equal(zero, zero, norm.recip());
    (norm, a.to_rows().into_iter().map(|entry| entry.times(E::of_real(weight))).collect())
}

function! {
    /// The logarithm of the absolute value of the determinant of a square matrix.
    ///
    /// Its gradient is the conjugate transpose of the inverse.
    ///
    /// ```
    /// use retrograd::dense::log_det;
    ///
    /// let (value, by_a) = log_det::gradient(&[2.0, 1.0, 0.0, -4.0]);
    /// assert_eq!((value, by_a), (8_f64.ln(), [0.5, 0.0, 0.125, -0.25]));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Shape`](crate::ErrorKind::Shape) if the matrix is not square, and [`Singular`](crate::ErrorKind::Singular) if a pivot is zero or
    /// not finite.
    fn log_det(needs: Needed::Square), value: log_det_value, gradient: log_det_gradient,
    source: "fn log_det(a: &Matrix) -> T"
}

function! {
    /// The square root of the sum of the squared sizes of all elements: the Euclidean norm of a vector, and Frobenius's of a matrix.
    ///
    /// Its gradient at zero is zero.
    ///
    /// ```
    /// use retrograd::dense::norm;
    ///
    /// assert_eq!(norm::gradient(&[3.0, 4.0]), (5.0, [0.6000000000000001, 0.8]));
    /// assert_eq!(norm::gradient(&[0.0, 0.0]), (0.0, [0.0, 0.0]));
    /// ```
    fn norm(needs: Needed::Any), value: norm_value, gradient: norm_gradient,
    source: "fn norm(a: &Matrix) -> T"
}
