//! Sparse matrices of complex numbers: products with several vectors, plain, transposed and adjoint, and their inner product.

use num_complex::Complex;
use retrograd::numbers::NumAssign;
use retrograd::prelude::*;

use super::sparse_dot::{Csc, matches};
use super::{Demo, Entry, rounded};

/// One of the products here, or its inverse: of `y`, `a`, `x`, `alpha`, and how many columns there are.
pub type Product<T> = fn(&mut [Complex<T>], &Csc<Complex<T>>, &[Complex<T>], Complex<T>, usize);

/// Adds `alpha` times the product of the sparse matrix `a` and the matrix `x` to `y`.
///
/// `x` and `y` have that many `columns`, one behind the other. The adjoint of a complex product has conjugates in it: that of `x`
/// grows by `alpha`* a* times that of `y`.
///
/// ```
/// use lab_corpus::programs::complex_sparse::complex_sparse;
/// use lab_corpus::programs::sparse_dot::Csc;
/// use num_complex::Complex;
///
/// let (zero, one, i) = (Complex::ZERO, Complex::ONE, Complex::I);
/// let a = Csc::from_columns(&[[zero, i * 2.0, one], [zero, zero, one + i]]);
/// let mut y = [zero; 6];
/// complex_sparse(&mut y, &a, &[one, i, zero, one], i, 2);
/// assert_eq!(y, [zero, -one * 2.0, -one, zero, zero, i - 1.0]);
/// complex_sparse::uncall(&mut y, &a, &[one, i, zero, one], i, 2);
/// assert_eq!(y, [zero; 6]);
/// ```
#[reversible]
pub fn complex_sparse<T: Real + NumAssign>(
    y: &mut [Complex<T>],
    a: &Csc<Complex<T>>,
    x: &[Complex<T>],
    alpha: Complex<T>,
    columns: usize,
) {
    for column in 0..columns {
        let (in_y, in_x) = (column * (y.len() / columns), column * (x.len() / columns));
        for j in 0..a.starts.len() - 1 {
            let scaled = alpha * x[in_x + j];
            for k in a.starts[j]..a.starts[j + 1] {
                y[in_y + a.rows[k]] += a.values[k] * scaled;
            }
        }
    }
}

/// Adds `alpha` times the product of the transpose of `a` and `x` to `y`.
///
/// ```
/// use lab_corpus::programs::complex_sparse::complex_sparse_transposed;
/// use lab_corpus::programs::sparse_dot::Csc;
/// use num_complex::Complex;
///
/// let (zero, one, i) = (Complex::ZERO, Complex::ONE, Complex::I);
/// let a = Csc::from_columns(&[[zero, i * 2.0, one], [zero, zero, one + i]]);
/// let mut y = [zero; 2];
/// complex_sparse_transposed(&mut y, &a, &[one, one, i], one, 1);
/// assert_eq!(y, [i * 3.0, i - 1.0]);
/// complex_sparse_transposed::uncall(&mut y, &a, &[one, one, i], one, 1);
/// assert_eq!(y, [zero; 2]);
/// ```
#[reversible]
pub fn complex_sparse_transposed<T: Real + NumAssign>(
    y: &mut [Complex<T>],
    a: &Csc<Complex<T>>,
    x: &[Complex<T>],
    alpha: Complex<T>,
    columns: usize,
) {
    for column in 0..columns {
        let (in_y, in_x) = (column * (y.len() / columns), column * (x.len() / columns));
        for j in 0..a.starts.len() - 1 {
            let mut sum = Complex::new(0.0, 0.0);
            for k in a.starts[j]..a.starts[j + 1] {
                sum += a.values[k] * x[in_x + a.rows[k]];
            }
            y[in_y + j] += alpha * sum;
        }
    }
}

/// Adds `alpha` times the product of the conjugate transpose of `a` and `x` to `y`.
///
/// ```
/// use lab_corpus::programs::complex_sparse::complex_sparse_adjoint;
/// use lab_corpus::programs::sparse_dot::Csc;
/// use num_complex::Complex;
///
/// let (zero, one, i) = (Complex::ZERO, Complex::ONE, Complex::I);
/// let a = Csc::from_columns(&[[zero, i * 2.0, one], [zero, zero, one + i]]);
/// let mut y = [zero; 2];
/// complex_sparse_adjoint(&mut y, &a, &[one, one, i], one, 1);
/// assert_eq!(y, [-i, i + 1.0]);
/// complex_sparse_adjoint::uncall(&mut y, &a, &[one, one, i], one, 1);
/// assert_eq!(y, [zero; 2]);
/// ```
#[reversible]
pub fn complex_sparse_adjoint<T: Real + NumAssign>(
    y: &mut [Complex<T>],
    a: &Csc<Complex<T>>,
    x: &[Complex<T>],
    alpha: Complex<T>,
    columns: usize,
) {
    for column in 0..columns {
        let (in_y, in_x) = (column * (y.len() / columns), column * (x.len() / columns));
        for j in 0..a.starts.len() - 1 {
            let mut sum = Complex::new(0.0, 0.0);
            for k in a.starts[j]..a.starts[j + 1] {
                sum += a.values[k].conj() * x[in_x + a.rows[k]];
            }
            y[in_y + j] += alpha * sum;
        }
    }
}

/// Adds the inner product of `a` and `b` to `r`: the sum of all products of a conjugate entry of `a` and the entry of `b` at the same
/// place. This is the trace of a*b.
///
/// ```
/// use lab_corpus::programs::complex_sparse::complex_sparse_dot;
/// use lab_corpus::programs::sparse_dot::Csc;
/// use num_complex::Complex;
///
/// let (zero, one, i) = (Complex::ZERO, Complex::ONE, Complex::I);
/// let a = Csc::from_columns(&[[zero, i * 2.0, one], [zero, zero, one + i]]);
/// let b = Csc::from_columns(&[[one, one, zero], [one, zero, i]]);
/// let mut r = zero;
/// complex_sparse_dot(&mut r, &a, &b);
/// assert_eq!(r, one - i);
/// complex_sparse_dot::uncall(&mut r, &a, &b);
/// assert_eq!(r, zero);
/// ```
#[reversible]
pub fn complex_sparse_dot<T: Real + NumAssign>(r: &mut Complex<T>, a: &Csc<Complex<T>>, b: &Csc<Complex<T>>) {
    #[constant]
    let pairs = matches(a, b);
    for p in 0..pairs.len() {
        *r += a.values[pairs[p].0].conj() * b.values[pairs[p].1];
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "complex_sparse",
    about: "adds the product of a sparse complex matrix and several vectors; its adjoint has conjugates in it",
    source: complex_sparse::source,
    demo: || {
        let (zero, one, i) = (Complex::ZERO, Complex::ONE, Complex::I);
        let (a, x) = (Csc::from_columns(&[[zero, i * 2.0, one], [zero, zero, one + i]]), [one, i, zero, one]);
        let on_parts = |program: Product<f64>| {
            let a = a.clone();
            move |parts: &mut [[f64; 2]; 6]| {
                let mut y = parts.map(|[re, im]| Complex { re, im });
                program(&mut y, &a, &x, i, 2);
                *parts = y.map(|y| [y.re, y.im]);
            }
        };
        Demo::new([[0.0; 2]; 6], on_parts(complex_sparse), on_parts(complex_sparse::uncall), |y| {
            format!("y = {:?}", y.map(|y| rounded(&y)))
        })
    },
};
