//! Matrices and vectors of `nalgebra` that own their elements: `DMatrix`, `DVector`, `RowDVector` and `SMatrix`, with its vectors.

use std::borrow::{Borrow, BorrowMut};

use nalgebra::{ArrayStorage, Const, DMatrix, DVector, Dyn, RowDVector, SMatrix, VecStorage};

use super::recording::Made;
use super::{Elements, Like, Place, adapter, compare, misfit, together};
use crate::Active;
use crate::check::{Compare, Report};
use crate::ops::{Disjoint, Site, cut_elements, same_element, same_element_read};
use crate::shadow::{AddFrom, Join, Misfit, Negate, Shadowed, Zero};

adapter! {
    () DMatrix<A>;
    () DVector<A>;
    () RowDVector<A>;
    (const R: usize, const C: usize,) SMatrix<A, R, C>;
}

/// A matrix lies in memory column by column.
macro_rules! elements {
    ($(($($generics:tt)*) $type:ty, |$matrix:ident, $k:ident| $index:expr, lengths: $lengths:expr;)*) => {$(
        impl<A, $($generics)*> Elements for $type {
            type Element = A;

            fn elements<'a>(&'a self) -> impl Iterator<Item = &'a A>
            where
                A: 'a,
            {
                self.as_slice().iter()
            }
            fn elements_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut A>
            where
                A: 'a,
            {
                self.as_mut_slice().iter_mut()
            }
            fn place(&self, $k: usize) -> Place {
                let $matrix = self;
                Place($index.to_vec())
            }
            fn lengths(&self) -> Vec<(String, usize)> {
                let $matrix = self;
                $lengths
            }
        }

        impl<A, $($generics)*> Disjoint<(usize, usize)> for $type {
            type Element = A;

            #[track_caller]
            fn disjoint_mut<const N: usize>(&mut self, indices: [(usize, usize); N], site: &Site) -> [&mut A; N] {
                let rows = self.nrows();
                let places = indices.map(|(i, j)| {
                    // Out of bounds this panics with the words of nalgebra.
                    let _ = &self[(i, j)];
                    i + j * rows
                });
                match self.as_mut_slice().get_disjoint_mut(places) {
                    Ok(elements) => elements,
                    Err(_) => same_element(&indices, site),
                }
            }

            #[track_caller]
            fn changed_and_read<const N: usize, const M: usize>(
                &mut self,
                changed: [(usize, usize); N],
                read: [(usize, usize); M],
                site: &Site,
            ) -> ([&mut A; N], [&A; M]) {
                for index in changed.iter().chain(&read) {
                    let _ = &self[*index];
                }
                let rows = self.nrows();
                let place = |(i, j)| i + j * rows;
                let found = cut_elements(self.as_mut_slice(), changed.map(place), read.map(place));
                found.unwrap_or_else(|| same_element_read(&changed, &read, site))
            }
        }

        impl<A, $($generics)*> Disjoint<usize> for $type {
            type Element = A;

            #[track_caller]
            fn disjoint_mut<const N: usize>(&mut self, indices: [usize; N], site: &Site) -> [&mut A; N] {
                self.as_mut_slice().disjoint_mut(indices, site)
            }

            #[track_caller]
            fn changed_and_read<const N: usize, const M: usize>(
                &mut self,
                changed: [usize; N],
                read: [usize; M],
                site: &Site,
            ) -> ([&mut A; N], [&A; M]) {
                self.as_mut_slice().changed_and_read(changed, read, site)
            }
        }
    )*};
}

elements! {
    () DMatrix<A>, |matrix, k| [k % matrix.nrows(), k / matrix.nrows()],
        lengths: vec![(".column(0)".into(), matrix.nrows()), (".row(0)".into(), matrix.ncols())];
    () DVector<A>, |_vector, k| [k], lengths: vec![(String::new(), _vector.nrows())];
    () RowDVector<A>, |_vector, k| [k], lengths: vec![(String::new(), _vector.ncols())];
    (const R: usize, const C: usize) SMatrix<A, R, C>, |_matrix, k| [k % R, k / R], lengths: vec![];
}

/// How each of them is made of its lengths and its elements.
macro_rules! made {
    ($(($($generics:tt)*) $type:ty, $lengths:ty, |$matrix:ident| $of:expr, |$given:pat_param| $count:expr, |$elements:ident| $made:expr;)*) => {$(
        impl<A, $($generics)*> Made for $type {
            type Lengths = $lengths;

            fn all_lengths(&self) -> $lengths {
                let $matrix = self;
                $of
            }
            fn count($given: &$lengths) -> usize {
                $count
            }
            fn in_a_row(&self) -> Option<&[A]> {
                Some(self.as_slice())
            }
            fn made($given: $lengths, $elements: Vec<A>) -> Self {
                $made
            }
        }
    )*};
}

made! {
    () DMatrix<A>, [usize; 2], |matrix| [matrix.nrows(), matrix.ncols()], |[rows, columns]| rows * columns,
        |elements| DMatrix::from_vec_storage(VecStorage::new(Dyn(rows), Dyn(columns), elements));
    () DVector<A>, [usize; 1], |vector| [vector.nrows()], |[rows]| *rows,
        |elements| DVector::from_vec_storage(VecStorage::new(Dyn(rows), Const, elements));
    () RowDVector<A>, [usize; 1], |vector| [vector.ncols()], |[columns]| *columns,
        |elements| RowDVector::from_vec_storage(VecStorage::new(Const, Dyn(columns), elements));
    (const R: usize, const C: usize) SMatrix<A, R, C>, (), |_matrix| (), |()| R * C,
        |elements| {
            let mut elements = elements.into_iter();
            let columns = std::array::from_fn(|_| std::array::from_fn(|_| elements.next().expect("there are R * C")));
            SMatrix::from_array_storage(ArrayStorage(columns))
        };
}

impl<A, B> Like<B> for DMatrix<A> {
    type Container = DMatrix<B>;
    fn map_elements(&self, f: impl FnMut(&A) -> B) -> DMatrix<B> {
        let elements = self.elements().map(f).collect();
        DMatrix::from_vec_storage(VecStorage::new(Dyn(self.nrows()), Dyn(self.ncols()), elements))
    }
}

impl<A, B> Like<B> for DVector<A> {
    type Container = DVector<B>;
    fn map_elements(&self, f: impl FnMut(&A) -> B) -> DVector<B> {
        let elements = self.elements().map(f).collect();
        DVector::from_vec_storage(VecStorage::new(Dyn(self.nrows()), Const, elements))
    }
}

impl<A, B> Like<B> for RowDVector<A> {
    type Container = RowDVector<B>;
    fn map_elements(&self, f: impl FnMut(&A) -> B) -> RowDVector<B> {
        let elements = self.elements().map(f).collect();
        RowDVector::from_vec_storage(VecStorage::new(Const, Dyn(self.ncols()), elements))
    }
}

impl<A, B, const R: usize, const C: usize> Like<B> for SMatrix<A, R, C> {
    type Container = SMatrix<B, R, C>;
    fn map_elements(&self, mut f: impl FnMut(&A) -> B) -> SMatrix<B, R, C> {
        let columns = self.data.0.each_ref().map(|column| column.each_ref().map(&mut f));
        SMatrix::from_array_storage(ArrayStorage(columns))
    }
}
