//! Products of dense vectors and matrices.

use super::Number;

/// Adds `a` times `x` to `y`, as [`axpy`](crate::programs::matvec::axpy()) does.
#[inline]
pub fn axpy<N: Number>(y: &mut [N], a: N, x: &[N]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y = *y + a * x;
    }
}

/// The sum of products, as [`dot`](crate::programs::matvec::dot()) has it.
#[inline]
pub fn dot<N: Number>(x: &[N], y: &[N]) -> N {
    x.iter().zip(y).fold(N::constant(0.0), |sum, (&x, &y)| sum + x * y)
}

/// The length of a vector, as [`norm`](crate::programs::matvec::norm()) has it.
#[inline]
pub fn norm<N: Number>(x: &[N]) -> N {
    dot(x, x).sqrt()
}

/// Adds the product of `a` and `x` to `y`, as [`matvec`](crate::programs::matvec::matvec()) does.
#[inline]
pub fn matvec<N: Number>(y: &mut [N], a: &[N], x: &[N]) {
    for (i, y) in y.iter_mut().enumerate() {
        *y = *y + dot(&a[x.len() * i..][..x.len()], x);
    }
}

/// Adds the product of the transpose of `a` and `x` to `y`, as
/// [`matvec_transposed`](crate::programs::matvec::matvec_transposed()) does.
#[inline]
pub fn matvec_transposed<N: Number>(y: &mut [N], a: &[N], x: &[N]) {
    let columns = y.len();
    for (i, &x) in x.iter().enumerate() {
        axpy(y, x, &a[columns * i..][..columns]);
    }
}
