//! The LU decomposition of a matrix, in place, and its determinant.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// With which row of `a` each row is to be exchanged in turn, so that each pivot is the largest number it can be.
///
/// It is an ordinary function: nothing that has a derivative depends on which rows are exchanged.
///
/// ```
/// use lab_corpus::programs::lu::pivots;
///
/// assert_eq!(pivots(&[[1.0, 2.0], [3.0, 4.0]]), [1, 1]);
/// ```
pub fn pivots<T: Real, const N: usize>(a: &[[T; N]; N]) -> [usize; N] {
    let mut a = *a;
    std::array::from_fn(|k| {
        let mut pivot = k;
        for i in k + 1..N {
            if a[i][k].abs() > a[pivot][k].abs() {
                pivot = i;
            }
        }
        a.swap(k, pivot);
        let (above, below) = a.split_at_mut(k + 1);
        for row in below {
            let factor = row[k] / above[k][k];
            for (x, &pivot_x) in row.iter_mut().zip(&above[k]).skip(k) {
                *x -= factor * pivot_x;
            }
        }
        pivot
    })
}

/// Replaces the matrix `a`, given by its rows, by its triangular factors: U on and above the diagonal, and below it L,
/// whose own diagonal is 1. Before step `k`, row `k` is exchanged with row `pivots[k]`.
///
/// Every element loses products of others that are already what they should be, and is divided by one of them. So the
/// way back multiplies and adds. No pivot may be zero.
///
/// ```
/// use lab_corpus::programs::lu::lu;
///
/// let mut a = [[1.0, 2.0], [4.0, 12.0]];
/// lu(&mut a, &[1, 1]);
/// assert_eq!(a, [[4.0, 12.0], [0.25, -1.0]]);
/// lu::uncall(&mut a, &[1, 1]);
/// assert_eq!(a, [[1.0, 2.0], [4.0, 12.0]]);
/// ```
#[reversible]
pub fn lu<T: Real, const N: usize>(a: &mut [[T; N]; N], pivots: &[usize; N]) {
    for k in 0..N {
        a.swap(k, pivots[k]);
        for i in k + 1..N {
            a[i][k] /= a[k][k];
            for j in k + 1..N {
                a[i][j] -= a[i][k] * a[k][j];
            }
        }
    }
}

/// The determinant of the matrix `a`: the product of the pivots. It must not be zero, or there would be no way back.
///
/// ```
/// use lab_corpus::programs::lu::determinant;
///
/// let (value, by_a) = determinant::gradient(&[[1.0, 2.0], [4.0, 12.0]]);
/// assert_eq!((value, by_a), (4.0, [[12.0, -4.0], [-2.0, 1.0]]));
/// ```
#[reversible]
pub fn determinant<T: Real, const N: usize>(a: &[[T; N]; N]) -> T {
    #[constant]
    let order = pivots(a);
    let mut factors = *a;
    lu(&mut factors, &order);
    let mut product = T::one();
    for k in 0..N {
        product *= if order[k] == k { factors[k][k] } else { -factors[k][k] };
    }
    product
}

pub(super) const ENTRY: Entry = Entry {
    name: "lu",
    about: "replaces a matrix by its triangular factors, in place; backwards, factors by their product",
    source: lu::source,
    demo: || {
        let a = [[1.0, 2.0, 0.0], [4.0, 12.0, 8.0], [2.0, 3.0, -4.0]];
        let order = pivots(&a);
        Demo::new(
            a,
            |a: &mut [[f64; 3]; 3]| lu(a, &order),
            |a| lu::uncall(a, &order),
            |a| format!("a = {:?}, pivots = {order:?}", a.map(|row| rounded(&row))),
        )
    },
};
