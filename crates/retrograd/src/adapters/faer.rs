//! Matrices and vectors of `faer` that own their elements: `Mat`, `Col` and `Row`.

use std::borrow::{Borrow, BorrowMut};

use faer::{Col, Mat, MatMut, Row};

use super::recording::Made;
use super::{Elements, Like, Place, adapter, compare, misfit, together};
use crate::Active;
use crate::check::{Compare, Report};
use crate::ops::{Disjoint, Site, found_among, same_element, same_element_read};
use crate::shadow::{AddFrom, Join, Misfit, Negate, Shadowed, Zero};

adapter! {
    () Mat<A>;
    () Col<A>;
    () Row<A>;
}

impl<A> Elements for Mat<A> {
    type Element = A;

    fn elements<'a>(&'a self) -> impl Iterator<Item = &'a A>
    where
        A: 'a,
    {
        self.col_iter().flat_map(|column| column.iter())
    }
    fn elements_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut A>
    where
        A: 'a,
    {
        self.col_iter_mut().flat_map(|column| column.iter_mut())
    }
    fn place(&self, k: usize) -> Place {
        Place(vec![k % self.nrows(), k / self.nrows()])
    }
    fn lengths(&self) -> Vec<(String, usize)> {
        vec![(".col(0)".into(), self.nrows()), (".row(0)".into(), self.ncols())]
    }
}

impl<A, B> Like<B> for Mat<A> {
    type Container = Mat<B>;
    fn map_elements(&self, mut f: impl FnMut(&A) -> B) -> Mat<B> {
        Mat::from_fn(self.nrows(), self.ncols(), |i, j| f(&self[(i, j)]))
    }
}

impl<A> Made for Mat<A> {
    type Lengths = (usize, usize);

    fn all_lengths(&self) -> (usize, usize) {
        (self.nrows(), self.ncols())
    }
    fn count((rows, columns): &(usize, usize)) -> usize {
        rows * columns
    }
    fn in_a_row(&self) -> Option<&[A]> {
        // Columns are aligned, with gaps between them.
        None
    }
    fn made((rows, columns): (usize, usize), elements: Vec<A>) -> Mat<A> {
        let mut elements: Vec<Option<A>> = elements.into_iter().map(Some).collect();
        Mat::from_fn(rows, columns, |i, j| elements[i + j * rows].take().expect("each is asked for once"))
    }
}

macro_rules! vectors {
    ($($name:ident, $length:ident, |$index:ident| $place:expr;)*) => {$(
        impl<A> Elements for $name<A> {
            type Element = A;

            fn elements<'a>(&'a self) -> impl Iterator<Item = &'a A>
            where
                A: 'a,
            {
                self.iter()
            }
            fn elements_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut A>
            where
                A: 'a,
            {
                self.iter_mut()
            }
            fn place(&self, k: usize) -> Place {
                Place(vec![k])
            }
            fn lengths(&self) -> Vec<(String, usize)> {
                vec![(String::new(), self.$length())]
            }
        }

        impl<A, B> Like<B> for $name<A> {
            type Container = $name<B>;
            fn map_elements(&self, mut f: impl FnMut(&A) -> B) -> $name<B> {
                $name::from_fn(self.$length(), |i| f(&self[i]))
            }
        }

        impl<A> Made for $name<A> {
            type Lengths = usize;

            fn all_lengths(&self) -> usize {
                self.$length()
            }
            fn count(length: &usize) -> usize {
                *length
            }
            fn in_a_row(&self) -> Option<&[A]> {
                None
            }
            fn made(length: usize, elements: Vec<A>) -> $name<A> {
                let mut elements: Vec<Option<A>> = elements.into_iter().map(Some).collect();
                $name::from_fn(length, |i| elements[i].take().expect("each is asked for once"))
            }
        }

        impl<A> Disjoint<usize> for $name<A> {
            type Element = A;

            #[track_caller]
            fn disjoint_mut<const N: usize>(&mut self, indices: [usize; N], site: &Site) -> [&mut A; N] {
                // Out of bounds this panics with the words of faer.
                for index in indices {
            let _ = &self[index];
        }
                let places = indices.map(|$index| $place);
                lend(self.as_mat_mut(), places).unwrap_or_else(|| same_element(&indices, site))
            }

            #[track_caller]
            fn changed_and_read<const N: usize, const M: usize>(
                &mut self,
                changed: [usize; N],
                read: [usize; M],
                site: &Site,
            ) -> ([&mut A; N], [&A; M]) {
                for index in changed.iter().chain(&read) {
                    let _ = &self[*index];
                }
                found_among(self.iter_mut(), changed, read).unwrap_or_else(|| same_element_read(&changed, &read, site))
            }
        }
    )*};
}

vectors! {
    Col, nrows, |index| (index, 0);
    Row, ncols, |index| (0, index);
}

impl<A> Disjoint<(usize, usize)> for Mat<A> {
    type Element = A;

    #[track_caller]
    fn disjoint_mut<const N: usize>(&mut self, indices: [(usize, usize); N], site: &Site) -> [&mut A; N] {
        // Out of bounds this panics with the words of faer.
        for index in indices {
            let _ = &self[index];
        }
        lend(self.as_mut(), indices).unwrap_or_else(|| same_element(&indices, site))
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
        let elements = self.as_mut().col_iter_mut().flat_map(|column| column.iter_mut());
        let found = found_among(elements, changed.map(place), read.map(place));
        found.unwrap_or_else(|| same_element_read(&changed, &read, site))
    }
}

/// Several elements of one matrix, if no two of them are the same: it is cut apart from one to the next.
fn lend<'a, A, const N: usize>(matrix: MatMut<'a, A>, indices: [(usize, usize); N]) -> Option<[&'a mut A; N]> {
    let mut order: [usize; N] = std::array::from_fn(|n| n);
    order.sort_by_key(|&n| (indices[n].1, indices[n].0));
    let mut found: [Option<&'a mut A>; N] = [const { None }; N];
    // What is left: the columns from `column` on, and of the one before it the rows from `row` on.
    let (mut right, mut column) = (matrix, 0);
    let (mut below, mut row) = (None, 0);
    for n in order {
        let (i, j) = indices[n];
        if j >= column {
            let (first, rest) = right.split_at_col_mut(j - column).1.split_first_col_mut()?;
            (right, column) = (rest, j + 1);
            (below, row) = (Some(first), 0);
        }
        let (one, rest) = below?.split_at_row_mut(i.checked_sub(row)?).1.split_at_row_mut(1);
        (below, row) = (Some(rest), i + 1);
        found[n] = one.iter_mut().next();
    }
    found.iter().all(Option::is_some).then(|| found.map(|element| element.expect("all of them are there")))
}
