//! Rows in the registers of AVX, with the products of FMA.
//!
//! Of `f64` eight registers are busy at once. The compiler does not do that by itself: neither a largest number nor a sum may be taken in
//! another order.

#![allow(unsafe_code, reason = "instructions that only some machines have")]

use std::arch::x86_64::*;

use super::Ask;
use crate::check::drift::DriftTolerance;

/// How many numbers are added up in a place of a register before it is looked at: so many rounding errors are still near.
const BLOCK: usize = 32;
const REGISTERS: usize = 8;
const STEP: usize = 4 * REGISTERS;

/// Asks with what the compiler makes of the question.
#[target_feature(enable = "avx2")]
pub(super) fn ask<A: Ask>(row: A) -> A::Answer {
    row.side_by_side()
}

/// The largest magnitude of a row; NaN does not count.
#[target_feature(enable = "avx")]
pub(super) fn largest(all: &[f64]) -> f64 {
    let mut parts = [_mm256_setzero_pd(); REGISTERS];
    let (steps, rest) = all.as_chunks::<STEP>();
    let (fours, rest) = rest.as_chunks::<4>();
    // If one of two numbers is NaN, the instruction gives the second.
    for step in steps {
        for (i, part) in parts.iter_mut().enumerate() {
            *part = _mm256_max_pd(magnitude(load(step, i)), *part);
        }
    }
    for four in fours {
        parts[0] = _mm256_max_pd(magnitude(load(four, 0)), parts[0]);
    }
    let largest = joined(parts, |a, b| _mm256_max_pd(a, b));
    rest.iter().map(|number| number.abs()).chain(store(largest)).fold(0.0, |a, b| if b > a { b } else { a })
}

/// Whether one of a row may be too far from what it was.
#[target_feature(enable = "avx,fma")]
pub(super) fn any_far(expected: &[f64], actual: &[f64]) -> bool {
    let blocks = expected.chunks(BLOCK * STEP).zip(actual.chunks(BLOCK * STEP));
    blocks.fold(false, |any, (expected, actual)| {
        let mut parts = [_mm256_setzero_pd(); REGISTERS];
        let ((steps, rest), (others, others_rest)) = (expected.as_chunks::<STEP>(), actual.as_chunks::<STEP>());
        for (step, other) in steps.iter().zip(others) {
            for (i, part) in parts.iter_mut().enumerate() {
                *part = add_square(*part, _mm256_sub_pd(load(step, i), load(other, i)));
            }
        }
        let ((fours, rest), (others, others_rest)) = (rest.as_chunks::<4>(), others_rest.as_chunks::<4>());
        for (four, other) in fours.iter().zip(others) {
            parts[0] = add_square(parts[0], _mm256_sub_pd(load(four, 0), load(other, 0)));
        }
        let distances = rest.iter().zip(others_rest).map(|(expected, actual)| (expected - actual).abs());
        any | is_far(parts, distances)
    })
}

/// The same where all of the row were one number.
#[target_feature(enable = "avx,fma")]
pub(super) fn any_far_from(expected: f64, actual: &[f64]) -> bool {
    let same = _mm256_set1_pd(expected);
    actual.chunks(BLOCK * STEP).fold(false, |any, actual| {
        let mut parts = [_mm256_setzero_pd(); REGISTERS];
        let (steps, rest) = actual.as_chunks::<STEP>();
        for step in steps {
            for (i, part) in parts.iter_mut().enumerate() {
                *part = add_square(*part, _mm256_sub_pd(same, load(step, i)));
            }
        }
        let (fours, rest) = rest.as_chunks::<4>();
        for four in fours {
            parts[0] = add_square(parts[0], _mm256_sub_pd(same, load(four, 0)));
        }
        any | is_far(parts, rest.iter().map(|actual| (expected - actual).abs()))
    })
}

/// Whether a sum of squares of distances, or of further distances, is not near. NaN is not.
#[inline]
#[target_feature(enable = "avx")]
fn is_far(parts: [__m256d; REGISTERS], rest: impl Iterator<Item = f64>) -> bool {
    let near = _mm256_set1_pd(DriftTolerance::DEFAULT.absolute * DriftTolerance::DEFAULT.absolute);
    let all = joined(parts, |a, b| _mm256_add_pd(a, b));
    let some = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_NLT_UQ>(all, near)) != 0;
    let sum: f64 = rest.sum();
    let rest_is_near = sum < DriftTolerance::DEFAULT.absolute;
    some | !rest_is_near
}

#[inline]
#[target_feature(enable = "avx")]
fn joined(parts: [__m256d; REGISTERS], join: impl Fn(__m256d, __m256d) -> __m256d) -> __m256d {
    let [a, b, c, d, e, f, g, h] = parts;
    join(join(join(a, b), join(c, d)), join(join(e, f), join(g, h)))
}

/// Four numbers of a row.
#[inline]
#[target_feature(enable = "avx")]
fn load<const N: usize>(row: &[f64; N], i: usize) -> __m256d {
    let four = &row.as_chunks::<4>().0[i];
    // SAFETY: there are four numbers, wherever they stand.
    unsafe { _mm256_loadu_pd(four.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx")]
fn store(numbers: __m256d) -> [f64; 4] {
    let mut four = [0.0; 4];
    // SAFETY: there is space for four numbers, wherever it is.
    unsafe { _mm256_storeu_pd(four.as_mut_ptr(), numbers) };
    four
}

/// The square of a distance is one instruction less than its magnitude. It is not far where the distance is so small that it vanishes.
#[inline]
#[target_feature(enable = "avx,fma")]
fn add_square(sum: __m256d, distance: __m256d) -> __m256d {
    _mm256_fmadd_pd(distance, distance, sum)
}

#[inline]
#[target_feature(enable = "avx")]
fn magnitude(numbers: __m256d) -> __m256d {
    _mm256_andnot_pd(_mm256_set1_pd(-0.0), numbers)
}
