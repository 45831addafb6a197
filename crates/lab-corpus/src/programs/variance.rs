//! Mean and variance of numbers.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// The mean of the numbers `x`, and their variance: the sum of the squares of what they are away from the mean, divided by
/// one less than there are. There must be two at least.
///
/// ```
/// use lab_corpus::programs::variance::mean_and_variance;
///
/// assert_eq!(mean_and_variance(&[1.0, 2.0, 6.0]), (3.0, 7.0));
/// ```
#[reversible]
pub fn mean_and_variance<T: Real>(x: &[T]) -> (T, T) {
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum += x[i];
    }
    let mean = sum / x.len() as T;
    let mut squares = T::zero();
    for i in 0..x.len() {
        squares += (x[i] - mean).square();
    }
    (mean, squares / (x.len() - 1) as T)
}

/// Adds mean and variance of numbers, of which the squares are given, to `mean` and `variance`.
///
/// Both are made in place, in one pass: sums first, which are divided afterwards. So `mean` and `variance` must be zero
/// at the start, or what they were would be divided as well.
///
/// ```
/// use lab_corpus::programs::variance::variance;
///
/// let squares = [1.0, 4.0, 36.0];
/// let (mut mean, mut variance_of_all) = (0.0, 0.0);
/// variance(&mut variance_of_all, &mut mean, &squares);
/// assert_eq!((mean, variance_of_all), (3.0, 7.0));
/// ```
#[reversible]
pub fn variance<T: Real>(variance: &mut T, mean: &mut T, squares: &[T]) {
    let n = squares.len();
    for i in 0..n {
        *mean += squares[i].sqrt();
        *variance += squares[i];
    }
    *mean /= n as T;
    *variance -= n as T * mean.square();
    *variance /= (n - 1) as T;
}

pub(super) const ENTRY: Entry = Entry {
    name: "variance",
    about: "makes mean and variance of numbers in place, from their squares, in one pass",
    source: variance::source,
    demo: || {
        let squares = [1.0, 4.0, 36.0];
        Demo::new(
            [0.0, 0.0],
            |[spread, mean]: &mut [f64; 2]| variance(spread, mean, &squares),
            |[spread, mean]| variance::uncall(spread, mean, &squares),
            |[spread, mean]| format!("variance, mean = {:?}, squares = {squares:?}", rounded(&[*spread, *mean])),
        )
    },
};
