//! Products, solves and factors of dense matrices, each one step of a reversible program.
//!
//! | primitive | what it does | undone by |
//! |---|---|---|
//! | [`matmul()`], [`matmul_slices()`] | C += A B | C −= A B |
//! | [`matvec()`] | y += A x | y −= A x |
//! | [`outer()`] | A += x yᵀ | A −= x yᵀ |
//! | [`triangular_solve()`] | x becomes L⁻¹ x or U⁻¹ x | multiplying by the triangle |
//! | [`lu_solve()`] | x becomes A⁻¹ x | multiplying by A |
//! | [`cholesky()`] | A becomes L, where A = L Lᴴ | L becomes L Lᴴ |
//! | [`inverse()`] | A becomes A⁻¹ | itself |
//! | [`log_det()`] | the value log |det A| | |
//! | [`norm()`] | the value √Σ\|aᵢⱼ\|² | |
//!
//! They are called like any procedure or function of the language, in reversible programs too, and their derivatives are calls of the
//! same kernels: the adjoint of a product is two products, and that of a solve is a solve. They take slices, arrays and `Vec`s, whose
//! elements are a matrix row by row, and matrices of `faer`, `nalgebra` and `ndarray`, behind features of these names. With the feature
//! `faer`, its kernels compute what consists of `f32`, `f64` or complex numbers of these; everything else is computed by plain loops.
//!
//! ```
//! use retrograd::dense::{Triangle, cholesky, triangular_solve};
//! use retrograd::prelude::*;
//!
//! /// Minus twice the logarithm of a normal density, up to a constant: Σ zᵢ² + 2 Σ ln lᵢᵢ with z = L⁻¹ x.
//! #[reversible]
//! fn deviance<T: Real>(x: &[T], covariance: &[T]) -> T {
//!     let mut l = covariance.to_vec();
//!     let mut z = x.to_vec();
//!     cholesky(&mut l);
//!     triangular_solve(&mut z, &l, Triangle::Lower);
//!     let mut sum = T::zero();
//!     for i in 0..x.len() {
//!         sum += z[i] * z[i] + 2.0 * l[i * x.len() + i].ln();
//!     }
//!     sum
//! }
//!
//! let (value, by_x, _) = deviance::gradient(&[2.0, 1.0], &[4.0, 0.0, 2.0, 10.0]);
//! assert!((value - (1.0 + 2.0 * 6_f64.ln())).abs() < 1e-12);
//! assert_eq!(by_x, [1.0, 0.0]);
//! ```
//!
//! Triangular factors multiply in place by [`multiply_upper`](fn@crate::ops::multiply_upper),
//! [`multiply_lower`](fn@crate::ops::multiply_lower) and [`multiply_lu`](fn@crate::ops::multiply_lu), which have determinants too. The
//! primitives of this module are given by hand, and programs that call them have no `log_det`.
//!
//! # Errors
//!
//! All of them are raised before anything is changed, as an [`InvertibilityError`](crate::InvertibilityError) with a kind:
//! [`Shape`](crate::ErrorKind::Shape) has the shape that is needed and the one that is found; [`Singular`](crate::ErrorKind::Singular)
//! and [`NotPositive`](crate::ErrorKind::NotPositive) have the pivot.

mod companions;
mod entry;
mod factors;
#[cfg(feature = "faer")]
mod faer;
mod kernels;
#[cfg(any(feature = "faer", feature = "nalgebra", feature = "ndarray"))]
mod matrices;
#[cfg(any(feature = "faer", feature = "nalgebra", feature = "ndarray"))]
mod operators;
mod products;
mod shape;
mod solves;
mod values;
mod view;

pub use entry::{ActsOn, Carried, Carry, Derivatives, Entry, Swept};
pub use factors::{cholesky, inverse};
pub use products::{matmul, matmul_slices, matvec, outer};
pub use shape::{Dense, Found, Matrix, Needed};
pub use solves::{lu_solve, triangular_solve};
pub use values::{log_det, norm};
pub use view::{View, ViewMut};

/// Which half of a matrix is read; its diagonal is part of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Triangle {
    /// On and below the diagonal.
    Lower,
    /// On and above the diagonal.
    Upper,
}

impl Triangle {
    /// The triangle of the transposed matrix.
    fn opposite(self) -> Triangle {
        match self {
            Triangle::Lower => Triangle::Upper,
            Triangle::Upper => Triangle::Lower,
        }
    }

    /// Whether an element is in it.
    fn contains(self, i: usize, j: usize) -> bool {
        match self {
            Triangle::Lower => i >= j,
            Triangle::Upper => i <= j,
        }
    }
}
