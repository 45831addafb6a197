//! The Bessel function of the first kind, by its power series.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// The Bessel function J of order `nu`, at a `z` that is not zero.
///
/// The terms of the series are made in one place, each from the one before. The factor between them is known from `k`, so
/// that the way back divides by it: no term has to be kept. The number of iterations is found by the size of the terms,
/// and back by counting down.
///
/// ```
/// use lab_corpus::programs::bessel::bessel_j;
///
/// let value: f64 = bessel_j(2, 1.0);
/// assert!((value - 0.11490348493190047).abs() < 1e-8);
/// ```
#[reversible]
pub fn bessel_j<T: Real>(nu: u32, z: T) -> T {
    let half = z / 2.0;
    let square = half * half;
    let mut term = T::one();
    for i in 1..=nu {
        term *= 1.0 / i as T * half;
    }
    let mut sum = term;
    let mut k = 0_u32;
    while (term.abs() > 1e-8, k != 0) {
        k += 1;
        term *= -1.0 / (k as T * (k + nu) as T) * square;
        sum += term;
    }
    sum
}

/// The same with a number of terms that is given: for those who know how many they need.
///
/// ```
/// use lab_corpus::programs::bessel::bessel_series;
///
/// let value: f64 = bessel_series(2, 1.0, 10);
/// assert!((value - 0.11490348493190047).abs() < 1e-15);
/// ```
#[reversible]
pub fn bessel_series<T: Real>(nu: u32, z: T, terms: u32) -> T {
    let half = z / 2.0;
    let square = half * half;
    let mut term = T::one();
    for i in 1..=nu {
        term *= 1.0 / i as T * half;
    }
    let mut sum = term;
    for k in 1..=terms {
        term *= -1.0 / (k as T * (k + nu) as T) * square;
        sum += term;
    }
    sum
}

/// Adds the Bessel function J of order `nu` at `z` to `out`, as [`bessel_j()`] has it.
///
/// ```
/// use lab_corpus::programs::bessel::bessel;
///
/// let mut out: f64 = 0.0;
/// bessel(&mut out, 2, 1.0);
/// assert!((out - 0.11490348493190047).abs() < 1e-8);
/// bessel::uncall(&mut out, 2, 1.0);
/// assert_eq!(out, 0.0);
/// ```
#[reversible]
pub fn bessel<T: Real>(out: &mut T, nu: u32, z: T) {
    let half = z / 2.0;
    let square = half * half;
    let mut term = T::one();
    for i in 1..=nu {
        term *= 1.0 / i as T * half;
    }
    *out += term;
    let mut k = 0_u32;
    while (term.abs() > 1e-8, k != 0) {
        k += 1;
        term *= -1.0 / (k as T * (k + nu) as T) * square;
        *out += term;
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "bessel",
    about: "adds a power series whose terms are made in one place, and knows when to stop in both directions",
    source: bessel::source,
    demo: || {
        let (nu, z) = (2, 1.0);
        Demo::new(
            0.0,
            |out: &mut f64| bessel(out, nu, z),
            |out| bessel::uncall(out, nu, z),
            |out| format!("out = {out:.10}, nu = {nu}, z = {z}"),
        )
    },
};
