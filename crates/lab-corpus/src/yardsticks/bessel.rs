//! The Bessel function of the first kind, and its derivative by hand.

use super::Number;

/// The function, as [`bessel_j`](crate::programs::bessel::bessel_j()) has it.
#[inline]
pub fn bessel_j<N: Number>(nu: u32, z: N) -> N {
    let half = z / 2.0;
    let square = half * half;
    let mut term = N::constant(1.0);
    for i in 1..=nu {
        term = term * (half / f64::from(i));
    }
    let mut sum = term;
    let mut k = 0;
    while term.value().abs() > 1e-8 {
        k += 1;
        term = term * (square * (-1.0 / (f64::from(k) * f64::from(k + nu))));
        sum = sum + term;
    }
    sum
}

/// The function and its derivative. The term with `k` is a power of `z` with the exponent 2k + `nu`.
///
/// ```
/// use lab_corpus::yardsticks::bessel::gradient;
///
/// let (value, derivative) = gradient(2, 1.0);
/// assert!((value - 0.11490348493190047).abs() < 1e-8 && (derivative - 0.21024361588113258).abs() < 1e-8);
/// ```
#[inline]
pub fn gradient(nu: u32, z: f64) -> (f64, f64) {
    let half = z / 2.0;
    let square = half * half;
    let mut term = 1.0;
    for i in 1..=nu {
        term *= half / f64::from(i);
    }
    let (mut sum, mut slope) = (term, f64::from(nu) * term);
    let mut k = 0;
    while f64::abs(term) > 1e-8 {
        k += 1;
        term *= square * (-1.0 / (f64::from(k) * f64::from(k + nu)));
        sum += term;
        slope += f64::from(2 * k + nu) * term;
    }
    (sum, slope / z)
}
