//! A unitary matrix as a product of rotations.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// Multiplies the vector `x` by an orthogonal matrix, in place, without any scratch memory.
///
/// Each of the n(n−1)/2 angles in `theta` turns two neighbouring elements. The counter `k` runs through all of them,
/// so its last value is known, and it is released by that value.
///
/// ```
/// use lab_corpus::programs::umm::umm;
/// use std::f64::consts::FRAC_PI_2;
///
/// let mut x = [1.0, 0.0];
/// umm(&mut x, &[FRAC_PI_2]);
/// assert!(x[0].abs() < 1e-15 && x[1] == 1.0);
/// umm::uncall(&mut x, &[FRAC_PI_2]);
/// assert!((x[0] - 1.0).abs() < 1e-15 && x[1].abs() < 1e-15);
/// ```
#[reversible]
pub fn umm<T: Real>(x: &mut [T], theta: &[T]) {
    let mut k = 0;
    for j in 0..x.len() {
        for i in (j..x.len() - 1).rev() {
            rotate(&mut x[i], &mut x[i + 1], theta[k]);
            k += 1;
        }
    }
    release!(k == theta.len());
}

/// Multiplies the columns `x` of a matrix by the same orthogonal matrix.
///
/// ```
/// use lab_corpus::programs::umm::umm_of_columns;
/// use std::f64::consts::PI;
///
/// let mut x = [[1.0, 0.0], [3.0, 4.0]];
/// umm_of_columns(&mut x, &[PI]);
/// assert!((x[0][0] + 1.0_f64).abs() < 1e-15 && (x[1][1] + 4.0_f64).abs() < 1e-15);
/// ```
#[reversible]
pub fn umm_of_columns<T: Real, const N: usize>(x: &mut [[T; N]], theta: &[T]) {
    for j in 0..x.len() {
        umm(&mut x[j], theta);
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "umm",
    about: "multiplies by a unitary matrix given as rotations; the counter is released by its known value",
    source: umm::source,
    demo: || {
        let theta = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
        Demo::new(
            [1.0, 2.0, 3.0, 4.0],
            |x: &mut [f64; 4]| umm(x, &theta),
            |x| umm::uncall(x, &theta),
            |x| format!("x = {:?}", rounded(x)),
        )
    },
};
