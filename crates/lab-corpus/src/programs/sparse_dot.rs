//! The dot product of two sparse matrices: a merge whose branches are recorded.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// A sparse matrix, column by column.
///
/// The entries of column `j` are at `starts[j]..starts[j + 1]` in `rows` and `values`, their rows rising.
///
/// ```
/// use lab_corpus::programs::sparse_dot::Csc;
///
/// let a = Csc::from_columns(&[[0.0, 2.0], [0.0, 0.0], [3.0, 4.0]]);
/// assert_eq!((a.starts, a.rows, a.values), (vec![0, 1, 1, 3], vec![1, 0, 1], vec![2.0, 3.0, 4.0]));
/// ```
#[derive(Active, Clone, Debug, PartialEq)]
pub struct Csc<T> {
    /// Where each column begins, and behind the last one where it ends.
    pub starts: Vec<usize>,
    /// The row of each entry.
    pub rows: Vec<usize>,
    /// The value of each entry.
    pub values: Vec<T>,
}

impl<T: Copy + Default + PartialEq> Csc<T> {
    /// The entries of a dense matrix, given by its columns, that are not zero.
    pub fn from_columns<C: AsRef<[T]>>(columns: &[C]) -> Csc<T> {
        let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
        for column in columns {
            for (row, &value) in column.as_ref().iter().enumerate().filter(|(_, value)| **value != T::default()) {
                rows.push(row);
                values.push(value);
            }
            starts.push(rows.len());
        }
        Csc { starts, rows, values }
    }
}

/// Adds the sum of all products of entries at the same place in `a` and `b` to `r`. Both have the same shape.
///
/// Two cursors go down each column, always the one that is behind. From where they stand afterwards one cannot tell
/// which was behind before, so every move is recorded: true if the cursor in `b` moved. The record and the cursors
/// are ancillas of one column, and give themselves back.
///
/// ```
/// use lab_corpus::programs::sparse_dot::{Csc, sparse_dot};
///
/// let a = Csc::from_columns(&[[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]);
/// let b = Csc::from_columns(&[[7.0, 5.0, 0.0], [0.0, 1.0, 4.0]]);
/// let mut r = 0.0;
/// sparse_dot(&mut r, &a, &b);
/// assert_eq!(r, 14.0);
/// sparse_dot::uncall(&mut r, &a, &b);
/// assert_eq!(r, 0.0);
/// ```
#[reversible]
pub fn sparse_dot<T: Real>(r: &mut T, a: &Csc<T>, b: &Csc<T>) {
    for j in 0..a.starts.len() - 1 {
        let mut moves = Stack::new();
        let mut i = a.starts[j];
        let mut k = b.starts[j];
        while (i < a.starts[j + 1] && k < b.starts[j + 1], !moves.is_empty()) {
            if a.rows[i] == b.rows[k] {
                *r += a.values[i] * b.values[k];
            }
            let mut b_moves = a.rows[i] >= b.rows[k];
            if b_moves {
                k += 1;
            } else {
                i += 1;
            }
            moves.push(&mut b_moves);
            release!(b_moves == false);
        }
    }
}

/// The entries that `a` and `b` have at the same places: pairs of their indices, column by column.
///
/// ```
/// use lab_corpus::programs::sparse_dot::{Csc, matches};
///
/// let a = Csc::from_columns(&[[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]);
/// let b = Csc::from_columns(&[[7.0, 5.0, 0.0], [0.0, 1.0, 4.0]]);
/// assert_eq!(matches(&a, &b), [(0, 1), (2, 3)]);
/// ```
pub fn matches<T>(a: &Csc<T>, b: &Csc<T>) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for j in 0..a.starts.len() - 1 {
        let (mut i, mut k) = (a.starts[j], b.starts[j]);
        while i < a.starts[j + 1] && k < b.starts[j + 1] {
            if a.rows[i] == b.rows[k] {
                pairs.push((i, k));
            }
            if a.rows[i] >= b.rows[k] {
                k += 1;
            } else {
                i += 1;
            }
        }
    }
    pairs
}

/// Does the same as [`sparse_dot()`], and leaves the merge to an ordinary function.
///
/// Where entries match depends on nothing that has a derivative. It is found once, by code that need not be reversible,
/// and both directions use it.
///
/// ```
/// use lab_corpus::programs::sparse_dot::{Csc, sparse_dot_of_matches};
///
/// let a = Csc::from_columns(&[[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]);
/// let b = Csc::from_columns(&[[7.0, 5.0, 0.0], [0.0, 1.0, 4.0]]);
/// let mut r = 0.0;
/// sparse_dot_of_matches(&mut r, &a, &b);
/// assert_eq!(r, 14.0);
/// sparse_dot_of_matches::uncall(&mut r, &a, &b);
/// assert_eq!(r, 0.0);
/// ```
#[reversible]
pub fn sparse_dot_of_matches<T: Real>(r: &mut T, a: &Csc<T>, b: &Csc<T>) {
    #[constant]
    let pairs = matches(a, b);
    for p in 0..pairs.len() {
        *r += a.values[pairs[p].0] * b.values[pairs[p].1];
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "sparse_dot",
    about: "merges two sparse matrices by two cursors, and records which one moved",
    source: sparse_dot::source,
    demo: || {
        let a = Csc::from_columns(&[[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]);
        let b = Csc::from_columns(&[[7.0, 5.0, 0.0], [0.0, 1.0, 4.0]]);
        Demo::new(
            0.0,
            |r: &mut f64| sparse_dot(r, &a, &b),
            |r| sparse_dot::uncall(r, &a, &b),
            |r| format!("r = {r}, a = {:?} in rows {:?}, b = {:?} in rows {:?}", a.values, a.rows, b.values, b.rows),
        )
    },
};
