//! The registers of AVX2 with `f32` in them.
// SAFETY: see `x86.rs`.
#![allow(unsafe_code, reason = "instructions that only some machines have")]

use std::arch::x86_64::*;
use std::mem::transmute;

use super::super::functions;
use super::super::registers::{Narrow, Register};

impl Register for __m256 {
    type Element = f32;
    type Mask = __m256;
    const WIDTH: usize = 8;
    const ZERO: Self = unsafe { transmute([0.0_f32; 8]) };
    const NEUTRAL: Self = unsafe { transmute([-0.0_f32; 8]) };

    #[inline(always)]
    fn splat(x: f32) -> Self {
        unsafe { _mm256_set1_ps(x) }
    }
    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        assert!(from.len() >= 8);
        unsafe { _mm256_loadu_ps(from.as_ptr()) }
    }
    #[inline(always)]
    fn load_first(from: &[f32], count: usize) -> Self {
        assert!(count <= 8 && count <= from.len());
        unsafe { _mm256_maskload_ps(from.as_ptr(), first_of_eight(count)) }
    }
    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        assert!(to.len() >= 8);
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self) }
    }
    #[inline(always)]
    fn store_first(self, to: &mut [f32], count: usize) {
        assert!(count <= 8 && count <= to.len());
        unsafe { _mm256_maskstore_ps(to.as_mut_ptr(), first_of_eight(count), self) }
    }
    #[inline(always)]
    fn transpose(square: &mut [Self]) {
        let r: &mut [Self; 8] = square.try_into().expect("eight registers");
        unsafe {
            // Lanes, then pairs of lanes, then quarters of a register.
            let a = [
                _mm256_unpacklo_ps(r[0], r[1]),
                _mm256_unpackhi_ps(r[0], r[1]),
                _mm256_unpacklo_ps(r[2], r[3]),
                _mm256_unpackhi_ps(r[2], r[3]),
                _mm256_unpacklo_ps(r[4], r[5]),
                _mm256_unpackhi_ps(r[4], r[5]),
                _mm256_unpacklo_ps(r[6], r[7]),
                _mm256_unpackhi_ps(r[6], r[7]),
            ];
            let b = [
                pairs_low(a[0], a[2]),
                pairs_high(a[0], a[2]),
                pairs_low(a[1], a[3]),
                pairs_high(a[1], a[3]),
                pairs_low(a[4], a[6]),
                pairs_high(a[4], a[6]),
                pairs_low(a[5], a[7]),
                pairs_high(a[5], a[7]),
            ];
            *r = [
                _mm256_permute2f128_ps::<0x20>(b[0], b[4]),
                _mm256_permute2f128_ps::<0x20>(b[1], b[5]),
                _mm256_permute2f128_ps::<0x20>(b[2], b[6]),
                _mm256_permute2f128_ps::<0x20>(b[3], b[7]),
                _mm256_permute2f128_ps::<0x31>(b[0], b[4]),
                _mm256_permute2f128_ps::<0x31>(b[1], b[5]),
                _mm256_permute2f128_ps::<0x31>(b[2], b[6]),
                _mm256_permute2f128_ps::<0x31>(b[3], b[7]),
            ];
        }
    }

    arithmetic! {
        add(other) = _mm256_add_ps;
        sub(other) = _mm256_sub_ps;
        mul(other) = _mm256_mul_ps;
        div(other) = _mm256_div_ps;
        sqrt() = _mm256_sqrt_ps;
        mul_add(a, b) = _mm256_fmadd_ps;
        floor() = _mm256_floor_ps;
        ceil() = _mm256_ceil_ps;
        trunc() = _mm256_round_ps::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>;
    }
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        unsafe { _mm256_fmadd_ps(a, b, self) }
    }
    #[inline(always)]
    fn sub_product(self, a: Self, b: Self) -> Self {
        unsafe { _mm256_fnmadd_ps(a, b, self) }
    }
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe { _mm256_xor_ps(self, _mm256_set1_ps(-0.0)) }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self) }
    }

    #[inline(always)]
    fn with_sign_of(self, sign: Self) -> Self {
        unsafe {
            let bit = _mm256_set1_ps(-0.0);
            _mm256_or_ps(_mm256_andnot_ps(bit, self), _mm256_and_ps(bit, sign))
        }
    }

    #[inline(always)]
    fn less(self, other: Self) -> __m256 {
        unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self, other) }
    }
    #[inline(always)]
    fn equal(self, other: Self) -> __m256 {
        unsafe { _mm256_cmp_ps::<_CMP_EQ_OQ>(self, other) }
    }
    #[inline(always)]
    fn and(a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_and_ps(a, b) }
    }
    #[inline(always)]
    fn or(a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_or_ps(a, b) }
    }
    #[inline(always)]
    fn not(a: __m256) -> __m256 {
        unsafe { _mm256_xor_ps(a, _mm256_castsi256_ps(_mm256_set1_epi32(-1))) }
    }
    #[inline(always)]
    fn bits(mask: __m256) -> u32 {
        unsafe { _mm256_movemask_ps(mask) as u32 }
    }
    #[inline(always)]
    fn select(mask: __m256, a: Self, b: Self) -> Self {
        unsafe { _mm256_blendv_ps(b, a, mask) }
    }

    functions_in_wide_registers!();
}

/// The lower halves of both, in pairs of lanes that stay together.
#[inline(always)]
fn pairs_low(a: __m256, b: __m256) -> __m256 {
    unsafe { _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(a), _mm256_castps_pd(b))) }
}

/// The upper halves, likewise.
#[inline(always)]
fn pairs_high(a: __m256, b: __m256) -> __m256 {
    unsafe { _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(a), _mm256_castps_pd(b))) }
}

/// All bits in the first lanes.
#[inline(always)]
fn first_of_eight(count: usize) -> __m256i {
    unsafe { _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0)) }
}

impl Narrow for __m256 {
    type Wide = __m256d;

    #[inline(always)]
    fn widen(self) -> (__m256d, __m256d) {
        unsafe { (_mm256_cvtps_pd(_mm256_castps256_ps128(self)), _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(self))) }
    }
    #[inline(always)]
    fn narrow(low: __m256d, high: __m256d) -> __m256 {
        unsafe { _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low)) }
    }
}
