//! What can be a matrix or a vector for a primitive, and what is said of one that does not fit.

use std::fmt;

use super::view::{View, ViewMut};
use crate::ErrorKind;
use crate::site::Site;

/// The shape that a primitive needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Needed {
    /// So many rows and columns.
    Shape(usize, usize),
    /// As many rows as columns.
    Square,
    /// So many rows, and any number of columns.
    Rows(usize),
    /// So many columns, and any number of rows.
    Columns(usize),
    /// One column or one row.
    Vector,
    /// Any shape.
    Any,
}

impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Needed::Shape(rows, 1) => write!(f, "{rows} × 1, or a vector of {rows} elements"),
            Needed::Shape(rows, columns) => write!(f, "{rows} × {columns}"),
            Needed::Square => write!(f, "a square matrix"),
            Needed::Rows(rows) => write!(f, "{rows} rows"),
            Needed::Columns(columns) => write!(f, "{columns} columns"),
            Needed::Vector => write!(f, "a vector"),
            Needed::Any => write!(f, "any shape"),
        }
    }
}

/// The shape that something has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Found {
    /// A matrix with so many rows and columns.
    Matrix(usize, usize),
    /// A slice or vector of so many elements.
    Elements(usize),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Matrix(rows, columns) => write!(f, "{rows} × {columns}"),
            Found::Elements(count) => write!(f, "{count} elements"),
        }
    }
}

/// A matrix or a vector that the primitives of [`dense`](crate::dense) compute with.
///
/// Slices, arrays and `Vec`s have the shape that is needed, if they have as many elements, and lie row by row. Matrices of `faer`,
/// `nalgebra` and `ndarray` have their own shapes.
///
/// # Safety
///
/// Both views have the shape that [`fitted`](Dense::fitted) returns, and are of elements that `self` owns, each of which occurs once.
#[allow(unsafe_code, reason = "views are read and written through pointers")]
pub unsafe trait Dense {
    /// What it is made of.
    type Entry;

    /// The rows and columns as a matrix of the shape that is needed, or the shape that is found instead.
    fn fitted(&self, needed: Needed) -> Result<(usize, usize), Found>;
    /// The elements.
    fn view(&self, shape: (usize, usize)) -> View<'_, Self::Entry>;
    /// The elements, to be changed.
    fn view_mut(&mut self, shape: (usize, usize)) -> ViewMut<'_, Self::Entry>;
}

/// A matrix that knows its number of rows and columns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not know how many rows and columns it has",
    label = "not a matrix",
    note = "the product of slices needs the number of columns of the first factor: `matmul_slices(c, a, b, inner)`",
    note = "matrices are those of `faer`, `nalgebra` and `ndarray`, behind features of these names"
)]
pub trait Matrix: Dense {
    /// Its rows and columns.
    fn shape(&self) -> (usize, usize);
}

/// What a matrix of a known shape is for those that need one.
#[cfg(any(feature = "faer", feature = "nalgebra", feature = "ndarray"))]
pub(super) fn fit_matrix((rows, columns): (usize, usize), needed: Needed) -> Result<(usize, usize), Found> {
    let fits = match needed {
        Needed::Shape(r, c) => (r, c) == (rows, columns),
        Needed::Square => rows == columns,
        Needed::Rows(r) => r == rows,
        Needed::Columns(c) => c == columns,
        Needed::Vector => columns == 1,
        Needed::Any => true,
    };
    if fits { Ok((rows, columns)) } else { Err(Found::Matrix(rows, columns)) }
}

/// The same for so many elements that lie row by row.
pub(super) fn fit_elements(count: usize, needed: Needed) -> Result<(usize, usize), Found> {
    let shape = match needed {
        Needed::Shape(rows, columns) => (rows, columns),
        Needed::Square => (count.isqrt(), count.isqrt()),
        Needed::Rows(rows) => (rows, count / rows.max(1)),
        Needed::Columns(columns) => (count / columns.max(1), columns),
        Needed::Vector | Needed::Any => (count, 1),
    };
    if shape.0.checked_mul(shape.1) == Some(count) { Ok(shape) } else { Err(Found::Elements(count)) }
}

macro_rules! slices {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        // SAFETY: the views are those of slices, which compare the number of their elements with the shape.
        #[allow(unsafe_code, reason = "see `Dense`")]
        unsafe impl<A, $($generics)*> Dense for $type {
            type Entry = A;

            fn fitted(&self, needed: Needed) -> Result<(usize, usize), Found> {
                fit_elements(self.len(), needed)
            }
            fn view(&self, (rows, columns): (usize, usize)) -> View<'_, A> {
                View::of_rows(self, rows, columns)
            }
            fn view_mut(&mut self, (rows, columns): (usize, usize)) -> ViewMut<'_, A> {
                ViewMut::of_rows(self, rows, columns)
            }
        }
    )*};
}

slices! {
    [] [A];
    [] Vec<A>;
    [const N: usize] [A; N];
}

/// A primitive where it is called, for its errors.
#[derive(Clone, Copy)]
pub(super) struct Call(Site);

impl Call {
    #[track_caller]
    pub(super) fn here(name: &'static str) -> Call {
        Call(Site::caller(name, ""))
    }

    /// The shape of an argument. Raises [`Shape`](ErrorKind::Shape) if it does not fit.
    pub(super) fn fit<D: Dense + ?Sized>(&self, name: &'static str, argument: &D, needed: Needed) -> (usize, usize) {
        match argument.fitted(needed) {
            Ok(shape) => shape,
            Err(found) => self.0.fail(ErrorKind::Shape, name, needed.to_string(), found.to_string()),
        }
    }

    /// Raises [`Singular`](ErrorKind::Singular).
    pub(super) fn singular(&self, name: &'static str, pivot: usize, value: impl fmt::Debug) -> ! {
        self.0.fail(
            ErrorKind::Singular,
            name,
            format!("a finite pivot other than zero in column {pivot}"),
            format!("{value:?}"),
        )
    }

    /// Raises [`NotPositive`](ErrorKind::NotPositive).
    pub(super) fn not_positive(&self, name: &'static str, pivot: usize, value: impl fmt::Debug) -> ! {
        self.0.fail(ErrorKind::NotPositive, name, format!("a positive pivot in column {pivot}"), format!("{value:?}"))
    }
}
