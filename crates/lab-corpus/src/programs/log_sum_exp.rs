//! The logarithm of a sum of exponentials, and what classifiers use it for.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// The largest of some numbers.
#[inline(always)]
pub(super) fn largest<T: Real>(numbers: &[T]) -> T {
    let mut largest = numbers[0];
    for number in numbers {
        largest = largest.max(*number);
    }
    largest
}

/// ln Σ exp(x), with the largest number taken out so that nothing overflows.
///
/// The result does not depend on what is taken out. So it is a constant: no derivative flows through it.
///
/// ```
/// use lab_corpus::programs::log_sum_exp::log_of_sum;
///
/// let (value, by_x) = log_of_sum::gradient(&[1000.0, 1000.0]);
/// assert_eq!((value, by_x), (1000.0 + 2.0_f64.ln(), vec![0.5, 0.5]));
/// ```
#[reversible]
#[inline(always)]
pub fn log_of_sum<T: Real>(x: &[T]) -> T {
    #[constant]
    let shift = largest(x);
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum += (x[i] - shift).exp();
    }
    sum.ln() + shift
}

/// Adds ln Σ exp(x) to `total`.
///
/// ```
/// use lab_corpus::programs::log_sum_exp::log_sum_exp;
///
/// let mut total = 1.0;
/// log_sum_exp(&mut total, &[3.0]);
/// assert_eq!(total, 4.0);
/// log_sum_exp::uncall(&mut total, &[3.0]);
/// assert_eq!(total, 1.0);
/// ```
#[reversible]
pub fn log_sum_exp<T: Real>(total: &mut T, x: &[T]) {
    *total += log_of_sum(x);
}

pub(super) const ENTRY: Entry = Entry {
    name: "log_sum_exp",
    about: "adds the logarithm of a sum of exponentials, none of which overflows",
    source: log_sum_exp::source,
    demo: || {
        let x = [999.0, 1000.0, -1e9];
        Demo::new(
            0.0,
            |total: &mut f64| log_sum_exp(total, &x),
            |total| log_sum_exp::uncall(total, &x),
            |total| format!("total = {}, x = {x:?}", rounded(&[*total])[0]),
        )
    },
};
