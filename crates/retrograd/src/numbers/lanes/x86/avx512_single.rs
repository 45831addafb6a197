//! The registers of AVX-512 with `f32` in them.
// SAFETY: see `x86.rs`.
#![allow(unsafe_code, reason = "instructions that only some machines have")]

use std::arch::x86_64::*;
use std::mem::transmute;

use super::super::functions;
use super::super::registers::{Narrow, Register};

impl Register for __m512 {
    type Element = f32;
    type Mask = __mmask16;
    const WIDTH: usize = 16;
    const ZERO: Self = unsafe { transmute([0.0_f32; 16]) };
    const NEUTRAL: Self = unsafe { transmute([-0.0_f32; 16]) };

    #[inline(always)]
    fn splat(x: f32) -> Self {
        unsafe { _mm512_set1_ps(x) }
    }
    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        assert!(from.len() >= 16);
        unsafe { _mm512_loadu_ps(from.as_ptr()) }
    }
    #[inline(always)]
    fn load_first(from: &[f32], count: usize) -> Self {
        assert!(count <= 16 && count <= from.len());
        unsafe { _mm512_maskz_loadu_ps(((1_u32 << count) - 1) as u16, from.as_ptr()) }
    }
    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        assert!(to.len() >= 16);
        unsafe { _mm512_storeu_ps(to.as_mut_ptr(), self) }
    }
    #[inline(always)]
    fn store_first(self, to: &mut [f32], count: usize) {
        assert!(count <= 16 && count <= to.len());
        unsafe { _mm512_mask_storeu_ps(to.as_mut_ptr(), ((1_u32 << count) - 1) as u16, self) }
    }
    #[inline(always)]
    fn transpose(square: &mut [Self]) {
        let r: &mut [Self; 16] = square.try_into().expect("sixteen registers");
        unsafe {
            // Lanes, then pairs of lanes, then quarters of a register.
            let a = [
                _mm512_unpacklo_ps(r[0], r[1]),
                _mm512_unpackhi_ps(r[0], r[1]),
                _mm512_unpacklo_ps(r[2], r[3]),
                _mm512_unpackhi_ps(r[2], r[3]),
                _mm512_unpacklo_ps(r[4], r[5]),
                _mm512_unpackhi_ps(r[4], r[5]),
                _mm512_unpacklo_ps(r[6], r[7]),
                _mm512_unpackhi_ps(r[6], r[7]),
                _mm512_unpacklo_ps(r[8], r[9]),
                _mm512_unpackhi_ps(r[8], r[9]),
                _mm512_unpacklo_ps(r[10], r[11]),
                _mm512_unpackhi_ps(r[10], r[11]),
                _mm512_unpacklo_ps(r[12], r[13]),
                _mm512_unpackhi_ps(r[12], r[13]),
                _mm512_unpacklo_ps(r[14], r[15]),
                _mm512_unpackhi_ps(r[14], r[15]),
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
                pairs_low(a[8], a[10]),
                pairs_high(a[8], a[10]),
                pairs_low(a[9], a[11]),
                pairs_high(a[9], a[11]),
                pairs_low(a[12], a[14]),
                pairs_high(a[12], a[14]),
                pairs_low(a[13], a[15]),
                pairs_high(a[13], a[15]),
            ];
            let c = [
                _mm512_shuffle_f32x4::<0b10_00_10_00>(b[0], b[4]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(b[1], b[5]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(b[2], b[6]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(b[3], b[7]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(b[0], b[4]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(b[1], b[5]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(b[2], b[6]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(b[3], b[7]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(b[8], b[12]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(b[9], b[13]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(b[10], b[14]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(b[11], b[15]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(b[8], b[12]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(b[9], b[13]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(b[10], b[14]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(b[11], b[15]),
            ];
            *r = [
                _mm512_shuffle_f32x4::<0b10_00_10_00>(c[0], c[8]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(c[1], c[9]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(c[2], c[10]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(c[3], c[11]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(c[4], c[12]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(c[5], c[13]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(c[6], c[14]),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(c[7], c[15]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(c[0], c[8]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(c[1], c[9]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(c[2], c[10]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(c[3], c[11]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(c[4], c[12]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(c[5], c[13]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(c[6], c[14]),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(c[7], c[15]),
            ];
        }
    }

    arithmetic! {
        add(other) = _mm512_add_ps;
        sub(other) = _mm512_sub_ps;
        mul(other) = _mm512_mul_ps;
        div(other) = _mm512_div_ps;
        abs() = _mm512_abs_ps;
        sqrt() = _mm512_sqrt_ps;
        mul_add(a, b) = _mm512_fmadd_ps;
        floor() = _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>;
        ceil() = _mm512_roundscale_ps::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>;
        trunc() = _mm512_roundscale_ps::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>;
    }
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        unsafe { _mm512_fmadd_ps(a, b, self) }
    }
    #[inline(always)]
    fn sub_product(self, a: Self, b: Self) -> Self {
        unsafe { _mm512_fnmadd_ps(a, b, self) }
    }
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe { _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(self), _mm512_set1_epi32(i32::MIN))) }
    }

    #[inline(always)]
    fn with_sign_of(self, sign: Self) -> Self {
        unsafe {
            let (number, sign) = (_mm512_castps_si512(self), _mm512_castps_si512(sign));
            // The bits of the second one where the first one has some, and those of the third one elsewhere.
            _mm512_castsi512_ps(_mm512_ternarylogic_epi32::<0xca>(_mm512_set1_epi32(i32::MIN), sign, number))
        }
    }

    #[inline(always)]
    fn less(self, other: Self) -> __mmask16 {
        unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self, other) }
    }
    #[inline(always)]
    fn equal(self, other: Self) -> __mmask16 {
        unsafe { _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(self, other) }
    }
    #[inline(always)]
    fn and(a: __mmask16, b: __mmask16) -> __mmask16 {
        a & b
    }
    #[inline(always)]
    fn or(a: __mmask16, b: __mmask16) -> __mmask16 {
        a | b
    }
    #[inline(always)]
    fn not(a: __mmask16) -> __mmask16 {
        !a
    }
    #[inline(always)]
    fn bits(mask: __mmask16) -> u32 {
        mask.into()
    }
    #[inline(always)]
    fn select(mask: __mmask16, a: Self, b: Self) -> Self {
        unsafe { _mm512_mask_blend_ps(mask, b, a) }
    }

    functions_in_wide_registers!();
}

/// The lower halves of both, in pairs of lanes that stay together.
#[inline(always)]
fn pairs_low(a: __m512, b: __m512) -> __m512 {
    unsafe { _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(a), _mm512_castps_pd(b))) }
}

/// The upper halves, likewise.
#[inline(always)]
fn pairs_high(a: __m512, b: __m512) -> __m512 {
    unsafe { _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(a), _mm512_castps_pd(b))) }
}

impl Narrow for __m512 {
    type Wide = __m512d;

    #[inline(always)]
    fn widen(self) -> (__m512d, __m512d) {
        unsafe {
            let high = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(self)));
            (_mm512_cvtps_pd(_mm512_castps512_ps256(self)), _mm512_cvtps_pd(high))
        }
    }
    #[inline(always)]
    fn narrow(low: __m512d, high: __m512d) -> __m512 {
        unsafe {
            let low = _mm512_castps_pd(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)));
            _mm512_castpd_ps(_mm512_insertf64x4::<1>(low, _mm256_castps_pd(_mm512_cvtpd_ps(high))))
        }
    }
}
