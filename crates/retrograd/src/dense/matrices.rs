//! Matrices and vectors of other crates.

#![allow(unsafe_code, reason = "views are made of pointers and strides")]

use super::shape::{Dense, Found, Matrix, Needed, fit_elements, fit_matrix};
use super::view::{View, ViewMut};

/// What knows its rows, its columns, its first element and the distances to the next ones.
macro_rules! matrices {
    ($(
        [$($generics:tt)*] $type:ty, |$m:ident| shape: $shape:expr, strides: $strides:expr,
        first: $first:ident, first_mut: $first_mut:ident;
    )*) => {$(
        // SAFETY: the crate says where the elements of the matrix, which owns them, lie.
        unsafe impl<A, $($generics)*> Dense for $type {
            type Entry = A;

            fn fitted(&self, needed: Needed) -> Result<(usize, usize), Found> {
                fit_matrix(Matrix::shape(self), needed)
            }
            fn view(&self, _: (usize, usize)) -> View<'_, A> {
                let $m = self;
                // SAFETY: as above.
                unsafe { View::new($m.$first(), $shape, $strides) }
            }
            fn view_mut(&mut self, _: (usize, usize)) -> ViewMut<'_, A> {
                let $m = &*self;
                let (shape, strides) = ($shape, $strides);
                // SAFETY: as above; the matrix is borrowed for as long as the view.
                unsafe { ViewMut::new(self.$first_mut(), shape, strides) }
            }
        }

        impl<A, $($generics)*> Matrix for $type {
            fn shape(&self) -> (usize, usize) {
                let $m = self;
                $shape
            }
        }
    )*};
}

/// Vectors, whose elements have a distance; a vector serves as a matrix of one column.
macro_rules! vectors {
    ($(
        [$($generics:tt)*] $type:ty, |$v:ident| length: $length:expr, stride: $stride:expr,
        first: $first:ident, first_mut: $first_mut:ident;
    )*) => {$(
        // SAFETY: the crate says where the elements of the vector, which owns them, lie.
        unsafe impl<A, $($generics)*> Dense for $type {
            type Entry = A;

            fn fitted(&self, needed: Needed) -> Result<(usize, usize), Found> {
                let $v = self;
                let length = $length;
                match fit_elements(length, needed) {
                    Ok((rows, 1)) => Ok((rows, 1)),
                    _ => Err(Found::Elements(length)),
                }
            }
            fn view(&self, _: (usize, usize)) -> View<'_, A> {
                let $v = self;
                // SAFETY: as above.
                unsafe { View::new($v.$first(), ($length, 1), ($stride, 0)) }
            }
            fn view_mut(&mut self, _: (usize, usize)) -> ViewMut<'_, A> {
                let $v = &*self;
                let (length, stride) = ($length, $stride);
                // SAFETY: as above; the vector is borrowed for as long as the view.
                unsafe { ViewMut::new(self.$first_mut(), (length, 1), (stride, 0)) }
            }
        }
    )*};
}

#[cfg(feature = "faer")]
matrices! {
    [] faer::Mat<A>, |m| shape: (m.nrows(), m.ncols()), strides: (1, m.col_stride()), first: as_ptr, first_mut: as_ptr_mut;
}

#[cfg(feature = "faer")]
vectors! {
    [] faer::Col<A>, |v| length: v.nrows(), stride: 1, first: as_ptr, first_mut: as_ptr_mut;
    [] faer::Row<A>, |v| length: v.ncols(), stride: 1, first: as_ptr, first_mut: as_ptr_mut;
}

#[cfg(feature = "nalgebra")]
matrices! {
    [] nalgebra::DMatrix<A>, |m| shape: m.shape(), strides: (1, m.nrows() as isize), first: as_ptr, first_mut: as_mut_ptr;
    [const R: usize, const C: usize] nalgebra::SMatrix<A, R, C>, |m| shape: m.shape(), strides: (1, R as isize),
        first: as_ptr, first_mut: as_mut_ptr;
}

#[cfg(feature = "nalgebra")]
vectors! {
    [] nalgebra::DVector<A>, |v| length: v.len(), stride: 1, first: as_ptr, first_mut: as_mut_ptr;
    [] nalgebra::RowDVector<A>, |v| length: v.len(), stride: 1, first: as_ptr, first_mut: as_mut_ptr;
}

#[cfg(feature = "ndarray")]
matrices! {
    [] ndarray::Array2<A>, |m| shape: m.dim(), strides: (m.strides()[0], m.strides()[1]),
        first: as_ptr, first_mut: as_mut_ptr;
}

#[cfg(feature = "ndarray")]
vectors! {
    [] ndarray::Array1<A>, |v| length: v.len(), stride: v.strides()[0], first: as_ptr, first_mut: as_mut_ptr;
}
