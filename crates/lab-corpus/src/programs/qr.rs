//! The QR decomposition by the method of Gram and Schmidt, and with it the gradient of all that is computed from Q and R.

use retrograd::prelude::*;

use super::matvec::{dot, norm};
use super::{Demo, Entry, rounded};

/// Makes the columns `a` orthonormal in place, and adds to `r` by which coefficients they are made of the new ones.
///
/// Each column loses what it has in common with the columns before it, and is scaled to the length one. Both are
/// written down in `r`, column by column: that is all that the way back needs. The columns must be linearly
/// independent, and `r` zero at the start.
///
/// ```
/// use lab_corpus::programs::qr::gram_schmidt;
///
/// let (mut a, mut r) = ([[3.0, 4.0], [1.0, 1.0]], [[0.0; 2]; 2]);
/// gram_schmidt(&mut a, &mut r);
/// let close = |a: f64, b: f64| (a - b).abs() < 1e-15;
/// assert!(close(a[0][0], 0.6) && close(a[0][1], 0.8) && close(a[1][0], 0.8) && close(a[1][1], -0.6));
/// assert!(close(r[0][0], 5.0) && r[0][1] == 0.0 && close(r[1][0], 1.4) && close(r[1][1], 0.2));
/// ```
#[reversible]
pub fn gram_schmidt<T: Real, const M: usize, const N: usize>(a: &mut [[T; M]; N], r: &mut [[T; N]; N]) {
    for j in 0..N {
        for i in 0..j {
            r[j][i] += dot(&a[i], &a[j]);
            for row in 0..M {
                a[j][row] -= r[j][i] * a[i][row];
            }
        }
        r[j][j] += norm(&a[j]);
        for row in 0..M {
            a[j][row] /= r[j][j];
        }
    }
}

/// Adds the factors of the matrix `a` to `q`, whose columns are orthonormal, and to `r`, which is upper triangular.
///
/// All three are given by their columns: `a` = Q·R.
///
/// ```
/// use lab_corpus::programs::qr::qr;
///
/// let a = [[3.0, 4.0], [1.0, 1.0]];
/// let (mut q, mut r) = ([[0.0; 2]; 2], [[0.0; 2]; 2]);
/// qr(&mut q, &mut r, &a);
/// let product = |j: usize, row: usize| q[0][row] * r[j][0] + q[1][row] * r[j][1];
/// assert!((0..2).all(|j| (0..2).all(|row| f64::abs(product(j, row) - a[j][row]) < 1e-14)));
/// qr::uncall(&mut q, &mut r, &a);
/// assert_eq!((q, r), ([[0.0; 2]; 2], [[0.0; 2]; 2]));
/// ```
#[reversible]
pub fn qr<T: Real, const M: usize, const N: usize>(q: &mut [[T; M]; N], r: &mut [[T; N]; N], a: &[[T; M]; N]) {
    let mut columns = *a;
    let mut coefficients = [[T::zero(); N]; N];
    gram_schmidt(&mut columns, &mut coefficients);
    for j in 0..N {
        for row in 0..M {
            q[j][row] += columns[j][row];
        }
        for i in 0..=j {
            r[j][i] += coefficients[j][i];
        }
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "qr",
    about: "adds the factors of a matrix by the method of Gram and Schmidt, done in place on a copy",
    source: qr::source,
    demo: || {
        let a = [[3.0, 4.0], [1.0, 1.0]];
        Demo::new(
            ([[0.0; 2]; 2], [[0.0; 2]; 2]),
            |(q, r): &mut ([[f64; 2]; 2], [[f64; 2]; 2])| qr(q, r, &a),
            |(q, r)| qr::uncall(q, r, &a),
            |(q, r)| format!("q = {:?}, r = {:?}", q.map(|column| rounded(&column)), r.map(|column| rounded(&column))),
        )
    },
};
