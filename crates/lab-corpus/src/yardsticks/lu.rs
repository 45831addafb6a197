//! The LU decomposition, and the determinant.

use super::Number;

/// Replaces a matrix by its factors, as [`lu`](crate::programs::lu::lu()) does, and returns the row that each was
/// exchanged with.
#[inline]
pub fn lu<N: Number, const S: usize>(a: &mut [[N; S]; S]) -> [usize; S] {
    std::array::from_fn(|k| {
        let mut pivot = k;
        for i in k + 1..S {
            if a[i][k].value().abs() > a[pivot][k].value().abs() {
                pivot = i;
            }
        }
        a.swap(k, pivot);
        let (above, below) = a.split_at_mut(k + 1);
        for row in below {
            row[k] = row[k] / above[k][k];
            for j in k + 1..S {
                row[j] = row[j] - row[k] * above[k][j];
            }
        }
        pivot
    })
}

/// The determinant, as [`determinant`](crate::programs::lu::determinant()) has it.
#[inline]
pub fn determinant<N: Number, const S: usize>(a: &[[N; S]; S]) -> N {
    let mut factors = *a;
    let pivots = lu(&mut factors);
    let sign = |k: usize| if pivots[k] == k { 1.0 } else { -1.0 };
    (0..S).fold(N::constant(1.0), |product, k| product * factors[k][k] * sign(k))
}
