//! Views of matrices, whoever owns them: where the first element lies, and how far it is to the next row and column.
//!
//! This is the only file of the module that reads and writes through pointers, besides the one that hands views to faer.

#![allow(unsafe_code, reason = "matrices of other crates lie in memory with gaps and in any order")]

use std::marker::PhantomData;

/// A matrix that is read.
#[derive(Debug)]
pub struct View<'a, A> {
    first: *const A,
    rows: usize,
    columns: usize,
    strides: (isize, isize),
    lent: PhantomData<&'a A>,
}

impl<A> Clone for View<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for View<'_, A> {}

/// A matrix that is changed.
#[derive(Debug)]
pub struct ViewMut<'a, A> {
    first: *mut A,
    rows: usize,
    columns: usize,
    strides: (isize, isize),
    lent: PhantomData<&'a mut A>,
}

impl<'a, A> View<'a, A> {
    /// A matrix that lies in memory in any way.
    ///
    /// # Safety
    ///
    /// For `i < rows` and `j < columns`, an `A` lies `i` times the first and `j` times the second stride behind `first`, and nobody
    /// changes it for the lifetime of the view.
    pub unsafe fn new(first: *const A, (rows, columns): (usize, usize), strides: (isize, isize)) -> View<'a, A> {
        View { first, rows, columns, strides, lent: PhantomData }
    }

    /// The elements of a slice, row by row.
    ///
    /// # Panics
    ///
    /// If there are not as many as the shape says.
    pub(crate) fn of_rows(elements: &'a [A], rows: usize, columns: usize) -> View<'a, A> {
        assert!(elements.len() == rows * columns, "{} elements, {rows} × {columns}", elements.len());
        // SAFETY: the slice has all of the elements.
        unsafe { View::new(elements.as_ptr(), (rows, columns), (columns as isize, 1)) }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    #[cfg_attr(not(feature = "faer"), expect(dead_code, reason = "only other kernels ask"))]
    pub(super) fn parts(self) -> (*const A, (usize, usize), (isize, isize)) {
        (self.first, (self.rows, self.columns), self.strides)
    }

    /// Rows as columns.
    pub(super) fn transposed(self) -> View<'a, A> {
        View { rows: self.columns, columns: self.rows, strides: (self.strides.1, self.strides.0), ..self }
    }

    /// The element in row `i` and column `j`.
    #[inline(always)]
    pub(super) fn at(&self, i: usize, j: usize) -> A
    where
        A: Copy,
    {
        assert!(i < self.rows && j < self.columns);
        // SAFETY: that element is there.
        unsafe { *self.first.offset(i as isize * self.strides.0 + j as isize * self.strides.1) }
    }

    /// Row `i`, if its elements lie next to each other.
    #[inline(always)]
    pub(super) fn row(&self, i: usize) -> Option<&'a [A]> {
        assert!(i < self.rows);
        // SAFETY: all elements of the row are there, one behind the other.
        (self.strides.1 == 1).then(|| unsafe {
            std::slice::from_raw_parts(self.first.offset(i as isize * self.strides.0), self.columns)
        })
    }

    /// A copy of all elements, row by row.
    pub(super) fn to_rows(self) -> Vec<A>
    where
        A: Copy,
    {
        (0..self.rows).flat_map(|i| (0..self.columns).map(move |j| self.at(i, j))).collect()
    }
}

impl<'a, A> ViewMut<'a, A> {
    /// A matrix that lies in memory in any way.
    ///
    /// # Safety
    ///
    /// As for [`View::new`], no two elements lie in the same place, and nobody else reads or changes them.
    pub unsafe fn new(first: *mut A, (rows, columns): (usize, usize), strides: (isize, isize)) -> ViewMut<'a, A> {
        ViewMut { first, rows, columns, strides, lent: PhantomData }
    }

    /// The elements of a slice, row by row.
    ///
    /// # Panics
    ///
    /// If there are not as many as the shape says.
    pub(crate) fn of_rows(elements: &'a mut [A], rows: usize, columns: usize) -> ViewMut<'a, A> {
        assert!(elements.len() == rows * columns, "{} elements, {rows} × {columns}", elements.len());
        // SAFETY: the slice has all of the elements, each of them once.
        unsafe { ViewMut::new(elements.as_mut_ptr(), (rows, columns), (columns as isize, 1)) }
    }

    /// The same elements, read.
    #[inline(always)]
    pub(super) fn read(&self) -> View<'_, A> {
        View { first: self.first, rows: self.rows, columns: self.columns, strides: self.strides, lent: PhantomData }
    }

    /// The same elements, for a shorter time.
    pub(super) fn lend(&mut self) -> ViewMut<'_, A> {
        ViewMut { first: self.first, rows: self.rows, columns: self.columns, strides: self.strides, lent: PhantomData }
    }

    /// Rows as columns.
    pub(super) fn transposed(self) -> ViewMut<'a, A> {
        ViewMut { rows: self.columns, columns: self.rows, strides: (self.strides.1, self.strides.0), ..self }
    }

    #[cfg_attr(not(feature = "faer"), expect(dead_code, reason = "only other kernels ask"))]
    pub(super) fn parts(self) -> (*mut A, (usize, usize), (isize, isize)) {
        (self.first, (self.rows, self.columns), self.strides)
    }

    /// The element in row `i` and column `j`.
    #[inline(always)]
    pub(super) fn at(&mut self, i: usize, j: usize) -> &mut A {
        assert!(i < self.rows && j < self.columns);
        // SAFETY: that element is there, and this view is borrowed for as long as it.
        unsafe { &mut *self.first.offset(i as isize * self.strides.0 + j as isize * self.strides.1) }
    }

    /// Row `i`, if its elements lie next to each other.
    #[inline(always)]
    pub(super) fn row(&mut self, i: usize) -> Option<&mut [A]> {
        assert!(i < self.rows);
        // SAFETY: all elements of the row are there, one behind the other.
        (self.strides.1 == 1).then(|| unsafe {
            std::slice::from_raw_parts_mut(self.first.offset(i as isize * self.strides.0), self.columns)
        })
    }

    /// Writes all elements, which are given row by row.
    pub(super) fn write_rows(&mut self, rows: &[A])
    where
        A: Copy,
    {
        let columns = self.columns;
        rows.iter().enumerate().for_each(|(k, &element)| *self.at(k / columns, k % columns) = element);
    }
}
